// SPDX-License-Identifier: Apache-2.0

/// Probability distributions with learnable parameters. After `torch.distributions`.
package dev.tensorbus.distributions;
