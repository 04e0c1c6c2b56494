// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerState;
import java.util.Map;

/// The contents of a [Checkpoint], which can be sent to another worker.
///
/// @param model tensors by name: the part's name, a dot, and the parameter's name
/// @param optimizers states of the optimizers, by name
/// @param progress state of schedules and other progress, by name
/// @param settings the settings as JSON; an empty object if there are none
public record Contents(
    Map<String, Tensor> model,
    Map<String, OptimizerState> optimizers,
    Map<String, Map<String, Double>> progress,
    String settings) {}
