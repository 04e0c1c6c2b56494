// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.trace.Application;

/// Values at some positions of an array: taken from there, and added there. Each is the other's
/// derivative.
public final class ValuesAt {
  private ValuesAt() {}

  /// The values at these positions of the storage, in a derivative.
  public static Tensor take(Tensor x, int[] positions, Shape shape) {
    return new Take(positions, shape).inBackward(x);
  }

  /// Zeros, to which the values are added at these positions of the storage, in a derivative.
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
    public void addTo(Object sums) {
      Compute.kernels(values).addAt(positions, values.storage(), sums);
    }
  }

  /// The same as [#take], of which nothing is recorded.
  public static Tensor taken(Tensor x, int[] positions, Shape shape) {
    Object values = x.dtype().newArray(positions.length);
    copy(x.storage(), 0, positions, positions.length, values, 0);
    return Tensor.ofStorage(shape, values);
  }

  /// The same as [#copy] for positions in a row or a few, which a cache holds. Plain loops wait for
  /// more cache lines at a time, vectors find values sooner that are there.
  public static void copyNear(
      Object source, int from, int[] positions, int count, Object target, int to) {
    if (source instanceof float[] values && target instanceof float[] taken) {
      Kernels.best().takeAt(values, from, positions, count, taken, to);
    } else {
      copy(source, from, positions, count, target, to);
    }
  }

  /// `target[to + i] = source[from + positions[i]]` for arrays of any type and the first `count`
  /// positions.
  public static void copy(
      Object source, int from, int[] positions, int count, Object target, int to) {
    switch (source) {
      case float[] values -> {
        float[] taken = (float[]) target;
        for (int i = 0; i < count; i++) {
          taken[to + i] = values[from + positions[i]];
        }
      }
      case double[] values -> {
        double[] taken = (double[]) target;
        for (int i = 0; i < count; i++) {
          taken[to + i] = values[from + positions[i]];
        }
      }
      case short[] values -> {
        short[] taken = (short[]) target;
        for (int i = 0; i < count; i++) {
          taken[to + i] = values[from + positions[i]];
        }
      }
      case long[] values -> {
        long[] taken = (long[]) target;
        for (int i = 0; i < count; i++) {
          taken[to + i] = values[from + positions[i]];
        }
      }
      default -> {
        boolean[] values = (boolean[]) source;
        boolean[] taken = (boolean[]) target;
        for (int i = 0; i < count; i++) {
          taken[to + i] = values[from + positions[i]];
        }
      }
    }
  }
}
