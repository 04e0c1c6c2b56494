// SPDX-License-Identifier: Apache-2.0
/// Measures Tensorbus: `tensorbus bench` measures whole workloads in JVMs of their
/// own, under the names that the same workloads have on PyTorch.
///
/// No module: the JMH twins compare kernels, which no module exports.
@NullMarked
package dev.tensorbus.benchmarks;

import org.jspecify.annotations.NullMarked;
