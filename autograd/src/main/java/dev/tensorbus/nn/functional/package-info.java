// SPDX-License-Identifier: Apache-2.0

/// The computations of layers and losses, as functions of tensors. Like `torch.nn.functional`.
package dev.tensorbus.nn.functional;
