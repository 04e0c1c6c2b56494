// SPDX-License-Identifier: Apache-2.0

/// Fault injection: runs worlds of the four programs and of a user's class, and disturbs them in
/// the ways that machines and networks do. There must be no hangs, false evictions, orphaned
/// processes or leftover files, and every exit code must be correct.
@NullMarked
package dev.tensorbus.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
