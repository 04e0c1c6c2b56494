// SPDX-License-Identifier: Apache-2.0

/// Fault injection: runs worlds of the four programs and of a user's class, and disturbs them as
/// machines and networks do. Afterwards there must be no hang, no false eviction, no orphan process
/// and no left-over file, and every exit code must be right.
@NullMarked
package dev.tensorbus.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
