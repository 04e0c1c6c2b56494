// SPDX-License-Identifier: Apache-2.0

/// The kernels that use the Vector API. Only this package and its subpackages use
/// `jdk.incubator.vector`; [dev.tensorbus.autograd.kernel.vector.VectorKernels] is the entry point.
package dev.tensorbus.autograd.kernel.vector;
