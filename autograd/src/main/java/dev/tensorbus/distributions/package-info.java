// SPDX-License-Identifier: Apache-2.0

/// Random distributions whose parameters are learned. After `torch.distributions`.
package dev.tensorbus.distributions;
