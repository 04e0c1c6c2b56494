// SPDX-License-Identifier: Apache-2.0

/// Convolution and its two gradients, computed with the Vector API directly on images or as matrix
/// products.
package dev.tensorbus.autograd.kernel.vector.convolution;
