// SPDX-License-Identifier: Apache-2.0

/// Convolution and its two gradients, directly on images and as products of packed patches.
package dev.tensorbus.autograd.kernel.vector.convolution;
