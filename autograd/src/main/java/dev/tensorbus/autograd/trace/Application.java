// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.stream.IntStream;

/// The inputs and results of one application of an operation. Values should be requested only if
/// they are needed, because they may have to be fetched from another engine.
public interface Application {
  /// Returns the number of inputs.
  int inputs();

  /// Returns the shape of an input.
  Shape shape(int input);

  /// Returns the type of an input.
  DType type(int input);

  /// Returns the values of an input.
  Tensor input(int input);

  /// Returns the first result.
  Tensor result();

  /// Returns the values of all inputs.
  default Tensor[] all() {
    return IntStream.range(0, inputs()).mapToObj(this::input).toArray(Tensor[]::new);
  }

  /// Returns an application whose values are all available.
  static Application of(Tensor result, Tensor... inputs) {
    return new Present(result, inputs);
  }

  /// An application whose values are all available.
  record Present(Tensor result, Tensor... values) implements Application {
    @Override
    public int inputs() {
      return values.length;
    }

    @Override
    public Shape shape(int input) {
      return values[input].shape();
    }

    @Override
    public DType type(int input) {
      return values[input].dtype();
    }

    @Override
    public Tensor input(int input) {
      return values[input];
    }
  }
}
