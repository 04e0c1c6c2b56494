// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on arrays: the contract, [dev.tensorbus.autograd.kernel.Arithmetic], and the shapes
/// that its methods take. `scalar` has the specification for `double[]` and its rounding to
/// `float[]` in plain loops, `vector` the Vector API twin;
/// [dev.tensorbus.autograd.kernel.Kernels] chooses.
///
/// With equal kernels, equal inputs give equal bits: no result depends on the number of threads,
/// on who computed which part, or on what the JVM has compiled so far.
package dev.tensorbus.autograd.kernel;
