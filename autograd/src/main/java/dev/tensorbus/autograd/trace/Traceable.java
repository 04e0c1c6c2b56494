// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// An operation of a [Trace] that can be expressed as ONNX nodes.
public interface Traceable {
  /// Returns the name for error messages.
  String name();

  /// Returns the operation as ONNX nodes: data that the `onnx` package reads.
  ///
  /// @return the results
  List<OnnxValue> onnxResults(OnnxValue.Input... inputs);
}
