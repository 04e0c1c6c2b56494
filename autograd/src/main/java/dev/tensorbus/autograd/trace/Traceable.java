// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.onnx.graph.Nodes;
import java.util.List;

/// What a step of a [Trace] does: something that ONNX can say too.
public interface Traceable {
  /// The name in messages.
  String name();

  /// Says it in ONNX's operators.
  ///
  /// @return the names of its results
  List<String> onnxResults(Nodes nodes);
}
