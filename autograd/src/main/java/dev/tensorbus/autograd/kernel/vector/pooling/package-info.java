// SPDX-License-Identifier: Apache-2.0

/// Max pooling, average pooling, and the gradient of average pooling, computed with the Vector API.
package dev.tensorbus.autograd.kernel.vector.pooling;
