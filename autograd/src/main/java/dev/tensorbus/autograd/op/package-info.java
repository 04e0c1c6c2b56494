// SPDX-License-Identifier: Apache-2.0

/// The differentiable operations, each with its derivative and its ONNX nodes beside it.
///
/// An [dev.tensorbus.autograd.op.Operation] is a record. Its backward pass keeps a record `Saved`.
/// Static methods of the same names check the shapes; [dev.tensorbus.autograd.Tensor] and
/// `nn.functional` call them.
///
/// This package has arithmetic, reductions and products of matrices. `op.layout` moves values,
/// `op.neural` and `op.recurrent` have the operations of networks.
package dev.tensorbus.autograd.op;
