// SPDX-License-Identifier: Apache-2.0

/// Environments for reinforcement learning.
package dev.tensorbus.models.environment;
