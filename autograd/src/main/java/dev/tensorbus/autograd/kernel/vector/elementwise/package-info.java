// SPDX-License-Identifier: Apache-2.0

/// Functions of each number, their derivatives, sums and softmax, a block of vectors at a time.
package dev.tensorbus.autograd.kernel.vector.elementwise;
