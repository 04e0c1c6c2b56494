// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The gradients that a backward pass returns for one message of the forward pass.
///
/// @param message the id of that message
/// @param values the gradient of each of its tracked tensors, null for none; empty if none has one
public record Gradients(long message, List<@Nullable Tensor> values) {}
