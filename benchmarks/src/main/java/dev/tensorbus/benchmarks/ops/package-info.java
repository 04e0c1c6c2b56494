// SPDX-License-Identifier: Apache-2.0

/// Measures each operation of the engine by itself, and the blocks that networks are made of.
@NullMarked
package dev.tensorbus.benchmarks.ops;

import org.jspecify.annotations.NullMarked;
