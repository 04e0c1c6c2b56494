// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// An operation of a [Trace] that can be expressed as ONNX nodes.
public interface Traceable {
  /// Returns the name for error messages.
  String name();

  /// Describes the operation as ONNX nodes and returns their results.
  List<OnnxValue> onnxResults(OnnxValue.Input... inputs);
}
