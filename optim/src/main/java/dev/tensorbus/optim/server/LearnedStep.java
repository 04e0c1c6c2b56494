// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

/// A step that has updated a model.
///
/// @param trainer the name of the trainer whose gradients were applied
/// @param loss the loss before the step
/// @param examples the number of examples in the loss
/// @param version the version of the parameters after the step
public record LearnedStep(String trainer, float loss, int examples, long version) {}
