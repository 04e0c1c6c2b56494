// SPDX-License-Identifier: Apache-2.0
/// Kernels side by side, in JMH: the specification in plain loops and its spelling in the Vector
/// API. Run by `tensorbus bench jmh`.
@NullMarked
package dev.tensorbus.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
