// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// The gradients that one trainer sends.
///
/// @param trainer the trainer's name; empty for a trainer that has not joined
/// @param gradients the gradients by the names of their parameters
/// @param loss the mean loss that they were computed from
/// @param examples the number of examples that the loss is the mean of, by which a round weighs the
///     gradients; 0 if unknown
public record Push(String trainer, Map<String, Tensor> gradients, float loss, int examples) {}
