// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// The parameters and buffers of a model.
///
/// @param version the version of the model
/// @param tensors the values by name, as in torch's `state_dict`; empty if the caller already has
///     this version
public record PulledParameters(long version, Map<String, Tensor> tensors) {}
