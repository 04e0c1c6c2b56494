// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.trace.Application;

/// Reads values at given offsets in a tensor's storage, or adds values there. Each of the two
/// operations is the other's derivative.
public final class ValuesAt {
  private ValuesAt() {}

  /// Returns the values at these offsets. For use in derivatives.
  public static Tensor take(Tensor x, int[] positions, Shape shape) {
    return new Take(positions, shape).inBackward(x);
  }

  /// Returns zeros to which the values are added at these offsets. For use in derivatives.
  public static Tensor add(int[] positions, Tensor values, Shape shape) {
    return new Add(positions, shape).inBackward(values);
  }

  private record Take(int[] positions, Shape shape) implements Operation.Gradient {
    @Override
    public Tensor value(Tensor... inputs) {
      return taken(inputs[0], positions, shape);
    }

    @Override
    public Derivative derivative(Application of) {
      Shape before = of.shape(0);
      return (gradient, needed) -> new Tensor[] {add(positions, gradient, before)};
    }
  }

  private record Add(int[] positions, Shape shape) implements Operation.Gradient {
    @Override
    public Tensor value(Tensor... inputs) {
      return Tensor.ofLayout(new Added(shape, positions, inputs[0]));
    }

    @Override
    public Derivative derivative(Application of) {
      Shape before = of.shape(0);
      return (gradient, needed) -> new Tensor[] {take(gradient, positions, before)};
    }
  }

  private record Added(Shape shape, int[] positions, Tensor values) implements Scattered {
    @Override
    public DType dtype() {
      return values.dtype();
    }

    @Override
    public void addTo(HeapStorage sums) {
      Compute.kernels(values).addAt(positions, array(values), sums.array());
    }
  }

  /// Returns the same values as [#take], without recording.
  public static Tensor taken(Tensor x, int[] positions, Shape shape) {
    HeapStorage values = HeapStorage.zeros(x.dtype(), positions.length);
    x.heap().copyTo(0, positions, positions.length, values, 0);
    return Tensor.ofStorage(shape, values);
  }

  /// Does the same as [HeapStorage#copyTo(int, int[], int, HeapStorage, int)], but is faster if the
  /// offsets are within a few rows that fit into a cache. Otherwise `copyTo` is faster, since its
  /// scalar loop has more cache misses in flight.
  public static void copyNear(
      HeapStorage source, int from, int[] positions, int count, HeapStorage target, int to) {
    if (source.dtype() == DType.FLOAT32) {
      Kernels.best().takeAt(source.floats(), from, positions, count, target.floats(), to);
    } else {
      source.copyTo(from, positions, count, target, to);
    }
  }
}
