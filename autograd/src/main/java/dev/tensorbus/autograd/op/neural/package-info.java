// SPDX-License-Identifier: Apache-2.0

/// Operations of neural networks: convolution, pooling, normalization, dropout, attention,
/// losses.
package dev.tensorbus.autograd.op.neural;
