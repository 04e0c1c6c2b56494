// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerState;
import java.util.Map;

/// The contents of a [Checkpoint], which may travel to another worker.
///
/// @param model tensors by the names of part and parameter
/// @param optimizers by name
/// @param progress of schedules and the like, by name
public record Contents(
    Map<String, Tensor> model,
    Map<String, OptimizerState> optimizers,
    Map<String, Map<String, Double>> progress) {}
