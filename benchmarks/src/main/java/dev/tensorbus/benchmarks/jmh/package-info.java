// SPDX-License-Identifier: Apache-2.0
/// JMH benchmarks that compare the scalar kernels, the reference implementation, with the Vector
/// API kernels. Run with `tensorbus bench jmh`.
@NullMarked
package dev.tensorbus.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
