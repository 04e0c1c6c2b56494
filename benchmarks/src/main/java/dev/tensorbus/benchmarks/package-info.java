// SPDX-License-Identifier: Apache-2.0
/// The benchmarks of Tensorbus. `tensorbus bench` measures whole workloads in separate JVMs, under
/// the names that the same workloads have in the PyTorch benchmarks.
///
/// This project is not a module, because the JMH benchmarks compare kernels, which no module
/// exports.
@NullMarked
package dev.tensorbus.benchmarks;

import org.jspecify.annotations.NullMarked;
