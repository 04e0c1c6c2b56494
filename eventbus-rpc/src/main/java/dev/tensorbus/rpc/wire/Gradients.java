// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The gradients that a backward pass brings back along one message of the forward pass.
///
/// @param message the name of that message
/// @param values the gradient of each tracked tensor that it carried, null for none; empty if
///     none has one
public record Gradients(long message, List<@Nullable Tensor> values) {}
