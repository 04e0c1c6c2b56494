// SPDX-License-Identifier: Apache-2.0

/// Searches for a good step along a direction, for optimizers that compute the loss themselves.
package dev.tensorbus.optim.linesearch;
