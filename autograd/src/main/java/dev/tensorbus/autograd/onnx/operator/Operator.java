// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Tensor;
import java.util.List;

/// An operator of ONNX.
public record Operator(Weights weights, Function function) {
  /// What an operator means for the tensors of a model that are its inputs.
  public enum Weights {
    /// They are constants, such as the bounds of a range.
    NONE,

    /// They are learned, such as the filters of a convolution.
    LEARNED,

    /// They are learned if the result is, such as a weight that is transposed before it is used.
    PASSED_ON
  }

  /// Computes an operator.
  @FunctionalInterface
  public interface Function {
    /// Returns the results in ONNX's order. There may be fewer than ONNX defines.
    ///
    /// @throws IllegalArgumentException if the inputs or attributes do not fit
    List<Tensor> apply(NodeCall call);
  }

  /// Computes an operator with one result.
  @FunctionalInterface
  interface Single {
    Tensor apply(NodeCall call);
  }
}
