// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.onnx.graph.Nodes;

/// How ONNX says an operation, where one record of ours stands for several of its operators.
@FunctionalInterface
interface Spelling {
  /// Adds the nodes and gives the name of the result.
  String say(Nodes nodes);
}
