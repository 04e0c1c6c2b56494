// SPDX-License-Identifier: Apache-2.0

/// Maxima and means of windows, and the gradient of means.
package dev.tensorbus.autograd.kernel.vector.pooling;
