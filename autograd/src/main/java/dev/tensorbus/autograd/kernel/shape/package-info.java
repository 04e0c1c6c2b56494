// SPDX-License-Identifier: Apache-2.0

/// The size parameters of the kernels, and the computation of offsets in arrays.
package dev.tensorbus.autograd.kernel.shape;
