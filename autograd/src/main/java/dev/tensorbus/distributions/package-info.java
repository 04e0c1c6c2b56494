// SPDX-License-Identifier: Apache-2.0

/// Probability distributions with learnable parameters. Like `torch.distributions`.
package dev.tensorbus.distributions;
