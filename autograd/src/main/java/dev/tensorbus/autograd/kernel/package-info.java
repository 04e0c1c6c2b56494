// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on arrays: the contract, [dev.tensorbus.autograd.kernel.Arithmetic], and functions of
/// one number. `shape` has the sizes that its methods take, `attention` the inputs of attention,
/// `recurrent` the contract of recurrent networks, `random` what draws random numbers. `scalar` has
/// the specification for `double[]` and its rounding to `float[]` in plain loops, `vector` the
/// Vector API twin; [dev.tensorbus.autograd.kernel.Kernels] chooses.
///
/// With equal kernels, equal inputs give equal bits. The number of threads, their order and the
/// state of the JVM's compilation change no result.
package dev.tensorbus.autograd.kernel;
