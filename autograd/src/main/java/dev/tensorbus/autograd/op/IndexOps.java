// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Operations that pick values by index.
public final class IndexOps {
  private IndexOps() {}

  /// See [Tensor#indexSelect].
  public static Tensor indexSelect(Tensor x, int axis, Tensor index) {
    int along = x.shape().axis("indexSelect", axis);
    if (index.shape().rank() != 1) {
      throw new ShapeException("indexSelect", "index " + index.shape() + " has not one axis");
    }
    int[] rows = indices("indexSelect", index, x.shape().size(along));
    return new IndexSelect(along, rows).apply(x);
  }

  /// The values of an index, each checked to be in `[0, size)`.
  private static int[] indices(String operation, Tensor index, int size) {
    if (index.dtype() != DType.INT64) {
      throw new IllegalArgumentException(
          operation + ": the index is " + index.dtype() + "; convert it with to(DType.INT64)");
    }
    long[] values = index.longs();
    int[] indices = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      if (values[i] < 0 || values[i] >= size) {
        throw new IllegalArgumentException(
            "%s: index %d is not in [0, %d)".formatted(operation, values[i], size));
      }
      indices[i] = (int) values[i];
    }
    return indices;
  }

  private record IndexSelect(int axis, int[] indices) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] sizes = x.shape().toArray();
      sizes[axis] = indices.length;
      Shape shape = Shape.of(sizes);
      Object values = x.dtype().newArray(shape.elements());
      int block = Shape.of(Arrays.copyOfRange(sizes, axis + 1, sizes.length)).elements();
      for (int i = 0; i * block < shape.elements(); i++) {
        int outer = i / indices.length;
        int from = outer * x.shape().size(axis) + indices[i % indices.length];
        System.arraycopy(x.storage(), from * block, values, i * block, block);
      }
      boolean few = axis == 0 && indices.length < x.shape().size(0);
      return new Result(
          Tensor.ofStorage(shape, values),
          few ? new Rows(x.shape(), indices) : new Parts(x.shape(), axis, indices));
    }

    /// Of a large table only the rows that were looked up get a gradient.
    private record Rows(Shape table, int[] rows) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {Tensor.ofRows(new SparseRows(table, rows, gradient))};
      }
    }

    private record Parts(Shape before, int axis, int[] indices) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        int[] positions =
            Positions.along(gradient.shape(), before, axis, (i, place) -> indices[place]);
        return new Tensor[] {addedAt(positions, gradient, before)};
      }
    }
  }

  /// See [Tensor#gather].
  public static Tensor gather(Tensor x, int axis, Tensor index) {
    int along = x.shape().axis("gather", axis);
    return new Gather(positions("gather", x.shape(), along, index), index.shape()).apply(x);
  }

  private record Gather(int[] positions, Shape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(
          taken(inputs[0], positions, shape), new Gather.Saved(inputs[0].shape(), positions));
    }

    /// The gradient goes back to where each value was taken.
    private record Saved(Shape before, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {addedAt(positions, gradient, before)};
      }
    }
  }

  /// Where in `shape` each value of an index of as many axes points to.
  private static int[] positions(String operation, Shape shape, int axis, Tensor index) {
    boolean fits = index.shape().rank() == shape.rank();
    for (int i = 0; fits && i < shape.rank(); i++) {
      fits = i == axis || index.shape().size(i) <= shape.size(i);
    }
    if (!fits) {
      throw new ShapeException(
          operation,
          "index %s does not fit %s: as many axes, none but axis %d longer"
              .formatted(index.shape(), shape, axis));
    }
    int[] indices = indices(operation, index, shape.size(axis));
    return Positions.along(index.shape(), shape, axis, (i, place) -> indices[i]);
  }

  /// See [Tensor#scatterAdd].
  public static Tensor scatterAdd(Tensor x, int axis, Tensor index, Tensor values) {
    Compute.requireOneType("scatterAdd", x, values);
    if (!index.shape().equals(values.shape())) {
      throw new ShapeException(
          "scatterAdd", "index " + index.shape() + " and values " + values.shape() + " differ");
    }
    int along = x.shape().axis("scatterAdd", axis);
    return new ScatterAdd(positions("scatterAdd", x.shape(), along, index)).apply(x, values);
  }

  private record ScatterAdd(int[] positions) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Tensor values = inputs[1];
      Shape shape = x.shape();
      Tensor sum =
          Compute.result(
              x,
              shape,
              (k, y) -> {
                System.arraycopy(x.storage(), 0, y, 0, shape.elements());
                k.addAt(positions, values.storage(), y);
              });
      return new Result(sum, new ScatterAdd.Saved(positions, values.shape()));
    }

    private record Saved(int[] positions, Shape values) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {gradient, needed[1] ? taken(gradient, positions, values) : null};
      }
    }
  }

  /// The values at these positions of the storage.
  static Tensor taken(Tensor x, int[] positions, Shape shape) {
    Object values = x.dtype().newArray(positions.length);
    Positions.take(x.storage(), positions, values);
    return Tensor.ofStorage(shape, values);
  }

  /// Zeros, to which the values are added at these positions of the storage.
  static Tensor addedAt(int[] positions, Tensor x, Shape shape) {
    return Compute.result(x, shape, (k, sums) -> k.addAt(positions, x.storage(), sums));
  }
}
