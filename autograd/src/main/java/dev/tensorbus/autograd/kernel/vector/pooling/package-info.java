// SPDX-License-Identifier: Apache-2.0

/// Max pooling, average pooling and its gradient in the Vector API.
package dev.tensorbus.autograd.kernel.vector.pooling;
