// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on arrays: for `double[]` the specification, for `float[]` its rounding in plain
/// loops and the Vector API twin.
///
/// The only package that knows the Vector API. With equal kernels, equal inputs give equal bits:
/// no result depends on the number of threads, on who computed which part, or on what the JVM has
/// compiled so far.
package dev.tensorbus.autograd.kernel;
