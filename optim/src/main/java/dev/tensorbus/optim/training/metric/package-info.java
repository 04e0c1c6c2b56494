// SPDX-License-Identifier: Apache-2.0

/// Measures predictions against what they should have been.
package dev.tensorbus.optim.training.metric;
