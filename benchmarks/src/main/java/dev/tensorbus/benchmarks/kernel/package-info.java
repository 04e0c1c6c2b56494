// SPDX-License-Identifier: Apache-2.0
/// Measures networks and kernels in a single process.
@NullMarked
package dev.tensorbus.benchmarks.kernel;

import org.jspecify.annotations.NullMarked;
