// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// An operation of a [Trace] that ONNX has nodes for.
public interface Traceable {
  /// The name in messages.
  String name();

  /// The operation as ONNX nodes: data that the `onnx` package reads.
  ///
  /// @return its results
  List<OnnxValue> onnxResults(OnnxValue.Input... inputs);
}
