// SPDX-License-Identifier: Apache-2.0

/// Elementwise functions and their derivatives, sums, normalization and softmax, computed with the
/// Vector API.
package dev.tensorbus.autograd.kernel.vector.elementwise;
