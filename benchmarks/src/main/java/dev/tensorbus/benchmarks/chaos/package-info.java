// SPDX-License-Identifier: Apache-2.0

/// Fault injection: runs worlds of the four programs and of a user's class, and disturbs them as
/// machines and networks do. There must be no hangs, false evictions, orphaned processes or
/// left-over files, and every exit code must be correct.
@NullMarked
package dev.tensorbus.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
