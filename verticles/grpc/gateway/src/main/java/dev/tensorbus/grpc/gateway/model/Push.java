// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// The gradients that one trainer brings.
///
/// @param trainer who; empty for nobody in particular
/// @param gradients by parameter, those that have one
/// @param loss that they are of
/// @param examples that it was computed from
public record Push(String trainer, Map<Tensor, Tensor> gradients, float loss, int examples) {}
