// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.Tensor;

/// The output of a network whose state consists only of its hidden state.
///
/// @param sequence the last layer's hidden states, `[steps, batch, directions * hidden]`
/// @param state the state after the last step, `[layers * directions, batch, hidden]`
public record HiddenOutput(Tensor sequence, Tensor state) {}
