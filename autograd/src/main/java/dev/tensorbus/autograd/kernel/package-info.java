// SPDX-License-Identifier: Apache-2.0

/// Numeric kernels on arrays: the interface [dev.tensorbus.autograd.kernel.Arithmetic], and
/// functions of one variable. Package `shape` contains the size parameters of the kernels,
/// `attention` the inputs of attention, `recurrent` the interface for recurrent networks, and
/// `random` the random number generators. Package `scalar` contains the reference implementation:
/// plain loops for `double[]`, and a version for `float[]` that rounds their results. Package
/// `vector` contains the implementation that uses the Vector API.
/// [dev.tensorbus.autograd.kernel.Kernels] chooses between them.
///
/// With the same kernels, equal inputs give bitwise equal results. These do not depend on the
/// number of threads, their scheduling or the state of JIT compilation.
package dev.tensorbus.autograd.kernel;
