// SPDX-License-Identifier: Apache-2.0

/// The differentiable operations, each with its derivative and its ONNX node beside it.
///
/// An [dev.tensorbus.autograd.op.Operation] is a record; what its backward pass keeps is a record
/// `Saved` in it. Static methods of the same names check the shapes;
/// [dev.tensorbus.autograd.Tensor] and [dev.tensorbus.autograd.Losses] call them.
package dev.tensorbus.autograd.op;
