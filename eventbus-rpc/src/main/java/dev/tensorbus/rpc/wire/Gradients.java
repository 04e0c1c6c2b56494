// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The gradients that a backward pass returns for one message of the forward pass.
///
/// @param message the id of that message
/// @param values the gradient of each tracked tensor in the message, or null for a tensor without a
///     gradient; empty if no tensor has one
public record Gradients(long message, List<@Nullable Tensor> values) {}
