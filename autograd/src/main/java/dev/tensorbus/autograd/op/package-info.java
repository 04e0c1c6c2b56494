// SPDX-License-Identifier: Apache-2.0

/// The differentiable operations, each next to its derivative and its ONNX nodes.
///
/// An [dev.tensorbus.autograd.op.Operation] is a record, with a nested record `Saved` of the values
/// that its backward pass needs. [dev.tensorbus.autograd.Tensor] and `nn.functional` call static
/// methods with the operations' names, which check the shapes.
///
/// This package contains arithmetic, reductions and matrix products. `op.layout` rearranges values;
/// `op.neural` and `op.recurrent` contain the operations of neural networks.
package dev.tensorbus.autograd.op;
