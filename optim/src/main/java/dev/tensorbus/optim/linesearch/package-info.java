// SPDX-License-Identifier: Apache-2.0

/// Line searches for optimizers that evaluate the loss themselves.
package dev.tensorbus.optim.linesearch;
