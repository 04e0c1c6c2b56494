// SPDX-License-Identifier: Apache-2.0

/// Worlds of the four programs that are disturbed as machines and networks disturb them, and what
/// must hold afterwards: no hang, no orphan, no left-over file, every exit code right.
@NullMarked
package dev.tensorbus.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
