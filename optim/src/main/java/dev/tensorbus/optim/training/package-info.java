// SPDX-License-Identifier: Apache-2.0

/// Runs the epochs of a training: here, with copies on other workers, or on a parameter server.
package dev.tensorbus.optim.training;
