// SPDX-License-Identifier: Apache-2.0

/// Writes scalars of a training to files, for curves.
package dev.tensorbus.optim.training.curve;
