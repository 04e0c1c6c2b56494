// SPDX-License-Identifier: Apache-2.0

/// Metrics of predictions.
package dev.tensorbus.optim.training.metric;
