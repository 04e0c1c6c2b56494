// SPDX-License-Identifier: Apache-2.0

/// Learning-rate schedules. Like `torch.optim.lr_scheduler`.
package dev.tensorbus.optim.schedule;
