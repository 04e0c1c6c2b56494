// SPDX-License-Identifier: Apache-2.0

/// The differentiable operations, each next to its derivative and its ONNX nodes.
///
/// An [dev.tensorbus.autograd.op.Operation] is a record, and the values that its backward pass
/// needs are a record `Saved`. Static methods of the same names check the shapes;
/// [dev.tensorbus.autograd.Tensor] and `nn.functional` call them.
///
/// This package has arithmetic, reductions and matrix products. `op.layout` rearranges values;
/// `op.neural` and `op.recurrent` have the operations of neural networks.
package dev.tensorbus.autograd.op;
