// SPDX-License-Identifier: Apache-2.0

/// What layers compute, as functions of tensors. After `torch.nn.functional`.
package dev.tensorbus.nn.functional;
