// SPDX-License-Identifier: Apache-2.0

/// Changes optimizers' settings from epoch to epoch: learning-rate schedules, after
/// `torch.optim.lr_scheduler`.
package dev.tensorbus.optim.schedule;
