// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// The gradients that a trainer pushes.
///
/// @param trainer the trainer's name
/// @param gradients the gradients by parameter name
/// @param loss the mean loss from which the gradients were computed
/// @param examples the number of examples in the loss, which is the gradients' weight in a step; 0
///     if unknown
public record Push(String trainer, Map<String, Tensor> gradients, float loss, int examples) {}
