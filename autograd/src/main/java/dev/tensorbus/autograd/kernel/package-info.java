// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on arrays: the contract, [dev.tensorbus.autograd.kernel.Arithmetic], and functions of
/// one number. `shape` has the sizes that its methods take, `attention` the inputs of attention,
/// `recurrent` the contract of recurrent networks, `random` random number generation. `scalar` has
/// the specification for `double[]`, rounded to `float[]`, in plain loops, and `vector` the
/// implementation in the Vector API; [dev.tensorbus.autograd.kernel.Kernels] chooses between them.
///
/// With equal kernels, equal inputs give equal bits. Results do not depend on the number of
/// threads, their order or the state of JIT compilation.
package dev.tensorbus.autograd.kernel;
