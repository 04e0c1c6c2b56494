// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.Tensor;

/// The output of a network whose state is its hidden values alone.
///
/// @param sequence the last layer's hidden states, `[steps, batch, directions * hidden]`
/// @param state after the last step, `[layers * directions, batch, hidden]`
public record HiddenOutput(Tensor sequence, Tensor state) {}
