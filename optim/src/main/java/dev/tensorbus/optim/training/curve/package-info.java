// SPDX-License-Identifier: Apache-2.0

/// Writes the scalars of a training run to files, from which tools plot curves.
package dev.tensorbus.optim.training.curve;
