// SPDX-License-Identifier: Apache-2.0

/// Elementwise functions, their derivatives, sums and softmax, one block of vectors at a time.
package dev.tensorbus.autograd.kernel.vector.elementwise;
