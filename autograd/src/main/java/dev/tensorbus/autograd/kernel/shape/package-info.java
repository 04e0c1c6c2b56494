// SPDX-License-Identifier: Apache-2.0

/// The sizes that kernels take, and the offsets of values in arrays.
package dev.tensorbus.autograd.kernel.shape;
