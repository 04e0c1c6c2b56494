// SPDX-License-Identifier: Apache-2.0

/// The kernels in the Vector API. Only this package and those below it know
/// `jdk.incubator.vector`; [dev.tensorbus.autograd.kernel.vector.VectorKernels] is the way in.
package dev.tensorbus.autograd.kernel.vector;
