// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// A push whose gradients fit the model.
///
/// @param gradients the gradients by parameter; none if they were dropped
/// @param examples the number of examples, by which a mean weighs the gradients; 0 if unknown
record CheckedPush(String trainer, Map<Tensor, Tensor> gradients, int examples) {}
