// SPDX-License-Identifier: Apache-2.0

/// Measures each operation of the engine separately, and the building blocks of networks.
@NullMarked
package dev.tensorbus.benchmarks.ops;

import org.jspecify.annotations.NullMarked;
