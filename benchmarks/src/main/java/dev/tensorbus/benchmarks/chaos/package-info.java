// SPDX-License-Identifier: Apache-2.0

/// Worlds of the four programs, and of a user's class, that are disturbed as machines and networks
/// disturb them, and what must hold afterwards: no hang, no false eviction, no orphan, no left-over
/// file, every exit code right.
@NullMarked
package dev.tensorbus.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
