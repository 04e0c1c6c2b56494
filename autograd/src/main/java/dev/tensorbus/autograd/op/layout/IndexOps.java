// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Broadcast;
import dev.tensorbus.autograd.op.ComparisonOps;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.ValuesAt;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Operations that select values by index, and operations that compute indices.
public final class IndexOps {
  private IndexOps() {}

  /// See [Tensor#indexSelect].
  public static Tensor indexSelect(Tensor x, int axis, Tensor index) {
    int along = x.shape().axis("indexSelect", axis);
    if (index.shape().rank() != 1) {
      throw new ShapeException("indexSelect", "index is " + index.shape() + "; expected one axis");
    }
    int size = x.shape().size(along);
    if (index.dtype() != DType.BOOL) {
      requireIndices("indexSelect", index, size);
    } else if (index.shape().size(0) != size) {
      throw new ShapeException(
          "indexSelect",
          "mask is %s; axis %d of %s has size %d".formatted(index.shape(), axis, x.shape(), size));
    }
    return new IndexSelect(along, false).apply(x, index);
  }

  /// Looks up rows of a table, `[rows, …]`. Like `torch.embedding`.
  ///
  /// @param operation the name for error messages
  /// @param index a one-axis index
  /// @param isSparse whether the gradient has only the rows that were looked up
  public static Tensor rows(String operation, Tensor table, Tensor index, boolean isSparse) {
    requireIndices(operation, index, table.shape().size(0));
    return new IndexSelect(0, isSparse).apply(table, index);
  }

  /// Checks that each value of an index is in `[0, size)`.
  private static void requireIndices(String operation, Tensor index, int size) {
    if (index.dtype() != DType.INT64) {
      throw new IllegalArgumentException(
          operation + ": the index is " + index.dtype() + "; convert it with to(DType.INT64)");
    }
    for (long value : index.longs()) {
      if (value < 0 || value >= size) {
        throw new IllegalArgumentException(
            "%s: index %d is not in [0, %d)".formatted(operation, value, size));
      }
    }
  }

  /// See [Tensor#maskedSelect].
  public static Tensor maskedSelect(Tensor x, Tensor mask) {
    ComparisonOps.requireMask("maskedSelect", mask);
    Shape shape = Broadcast.shape("maskedSelect", x.shape(), mask.shape());
    return indexSelect(inOneAxis(x, shape), 0, inOneAxis(mask, shape));
  }

  private static Tensor inOneAxis(Tensor x, Shape shape) {
    Tensor whole = x.shape().equals(shape) ? x : x.expand(shape.toArray());
    return whole.reshape(shape.elements());
  }

  /// Returns the values of an index, or the indices at which a mask is true.
  private static int[] indices(Tensor index) {
    if (index.dtype() == DType.BOOL) {
      boolean[] mask = index.booleans();
      return IntStream.range(0, mask.length).filter(i -> mask[i]).toArray();
    }
    return Arrays.stream(index.longs()).mapToInt(value -> (int) value).toArray();
  }

  /// The inputs are the values, and the index or mask.
  ///
  /// @param isSparse whether the gradient is [SparseRows], which requires axis 0
  private record IndexSelect(int axis, boolean isSparse) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] indices = indices(inputs[1]);
      int[] sizes = x.shape().toArray();
      sizes[axis] = indices.length;
      Shape shape = Shape.of(sizes);
      boolean isOfTable = axis == 0 && x.layout() instanceof TableVersion;
      return Tensor.ofStorage(
          shape, isOfTable ? TableVersion.of(x).take(indices) : taken(x, indices, shape));
    }

    private HeapStorage taken(Tensor x, int[] indices, Shape shape) {
      int[] sizes = shape.toArray();
      HeapStorage values = HeapStorage.zeros(x.dtype(), shape.elements());
      int block = Shape.of(Arrays.copyOfRange(sizes, axis + 1, sizes.length)).elements();
      int before = x.shape().size(axis) * block;
      int after = indices.length * block;
      for (int from = 0, to = 0; to < shape.elements(); from += before, to += after) {
        takeBlocks(x.heap(), from, indices, block, values, to);
      }
      return values;
    }

    private static void takeBlocks(
        HeapStorage source, int from, int[] indices, int block, HeapStorage target, int to) {
      if (block == 1) {
        ValuesAt.copyNear(source, from, indices, indices.length, target, to);
        return;
      }
      for (int i = 0; i < indices.length; i++) {
        source.copyTo(from + indices[i] * block, target, to + i * block, block);
      }
    }

    @Override
    public Derivative derivative(Application of) {
      return new IndexSelect.Saved(of.shape(0), this, of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      String operator = inputs[1].type() == DType.BOOL ? "Compress" : "Gather";
      return operator(operator).with("axis", axis).of(inputs[0], inputs[1]);
    }

    /// The sparse gradient of a table.
    private record Rows(Shape table, int[] rows) implements Gradient {
      @Override
      public Tensor value(Tensor... inputs) {
        return Tensor.ofRows(new SparseRows(table, rows, inputs[0]));
      }

      @Override
      public Derivative derivative(Application of) {
        Tensor index = Tensor.ofLongs(Arrays.stream(rows).asLongStream().toArray());
        return (gradient, needed) -> new Tensor[] {gradient.indexSelect(0, index)};
      }
    }

    private record Saved(Shape before, IndexSelect select, Tensor index) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new @Nullable Tensor[] {Trace.isOn() ? traced(gradient) : sum(gradient), null};
      }

      private Tensor sum(Tensor gradient) {
        int[] indices = indices(index);
        if (select.isSparse()) {
          return new Rows(before, indices).inBackward(gradient);
        }
        int[] positions =
            Positions.along(gradient.shape(), before, select.axis(), (i, place) -> indices[place]);
        return ValuesAt.add(positions, gradient, before);
      }

      private Tensor traced(Tensor gradient) {
        if (index.dtype() == DType.BOOL) {
          throw new IllegalStateException(
              "indexSelect: how many values a mask selects depends on the mask; use where");
        }
        int[] along = new int[before.rank()];
        Arrays.fill(along, 1);
        along[select.axis()] = index.shape().size(0);
        Tensor each = index.reshape(along).expand(gradient.shape().toArray());
        return scattered(before, select.axis(), each, gradient);
      }
    }
  }

  /// Returns zeros to which the values are added at the given indices along an axis. For use in
  /// derivatives.
  public static Tensor scattered(Shape shape, int axis, Tensor index, Tensor values) {
    return Trace.isOn()
        ? Tensor.full(shape, values.dtype(), 0).scatterAdd(axis, index, values)
        : ValuesAt.add(positions(shape, axis, index), values, shape);
  }

  /// See [Tensor#gather].
  public static Tensor gather(Tensor x, int axis, Tensor index) {
    int along = x.shape().axis("gather", axis);
    requireIndex("gather", x.shape(), along, index);
    return new Gather(along).apply(x, index);
  }

  /// The inputs are the values and the index.
  private record Gather(int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      HeapStorage source = inputs[0].heap();
      long[] indices = inputs[1].longs();
      Shape shape = inputs[1].shape();
      HeapStorage values = HeapStorage.zeros(source.dtype(), indices.length);
      Positions.forEachBlock(
          shape,
          inputs[0].shape(),
          axis,
          (i, place) -> (int) indices[i],
          (positions, count, first) -> {
            if (axis == shape.rank() - 1) {
              ValuesAt.copyNear(source, 0, positions, count, values, first);
            } else {
              source.copyTo(0, positions, count, values, first);
            }
          });
      return Tensor.ofStorage(shape, values);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Gather.Saved(of.shape(0), axis, of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("GatherElements").with("axis", axis).of(inputs[0], inputs[1]);
    }

    /// Adds each gradient at the index from which its value was read.
    private record Saved(Shape before, int axis, Tensor index) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {scattered(before, axis, index, gradient), null};
      }
    }
  }

  private static void requireIndex(String operation, Shape shape, int axis, Tensor index) {
    boolean fits = index.shape().rank() == shape.rank();
    for (int i = 0; fits && i < shape.rank(); i++) {
      fits = i == axis || index.shape().size(i) <= shape.size(i);
    }
    if (!fits) {
      throw new ShapeException(
          operation,
          "index %s does not fit %s; expected as many axes, and only axis %d may be longer"
              .formatted(index.shape(), shape, axis));
    }
    requireIndices(operation, index, shape.size(axis));
  }

  /// Returns, for each value of an index, the offset in `shape` that it refers to. The index and
  /// `shape` have the same number of axes.
  private static int[] positions(Shape shape, int axis, Tensor index) {
    long[] indices = index.longs();
    return Positions.along(index.shape(), shape, axis, (i, place) -> (int) indices[i]);
  }

  /// See [Tensor#sort].
  public static Tensor.Sorted sort(Tensor x, int axis, boolean descending) {
    return SortOps.sort(x, axis, descending);
  }

  /// See [Tensor#argsort].
  public static Tensor argsort(Tensor x, int axis, boolean descending) {
    return SortOps.argsort(x, axis, descending);
  }

  /// See [Tensor#topk].
  public static Tensor.Sorted topk(Tensor x, int k, int axis, boolean largest) {
    return SortOps.topk(x, k, axis, largest);
  }

  /// See [Tensor#unique].
  public static Tensor.Unique unique(Tensor x) {
    return SortOps.unique(x);
  }

  /// See [Tensor#scatterAdd].
  public static Tensor scatterAdd(Tensor x, int axis, Tensor index, Tensor values) {
    Compute.requireOneType("scatterAdd", x, values);
    if (!index.shape().equals(values.shape())) {
      throw new ShapeException(
          "scatterAdd", "index " + index.shape() + " and values " + values.shape() + " differ");
    }
    int along = x.shape().axis("scatterAdd", axis);
    requireIndex("scatterAdd", x.shape(), along, index);
    return new ScatterAdd(along).apply(x, values, index);
  }

  /// The inputs are the tensor, the values to add and the index.
  private record ScatterAdd(int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      Shape shape = x.shape();
      int[] positions = positions(shape, axis, inputs[2]);
      HeapStorage sums = x.heap().copy();
      Compute.kernels(x).addAt(positions, array(inputs[1]), sums.array());
      return Tensor.ofStorage(shape, sums);
    }

    @Override
    public Derivative derivative(Application of) {
      return new ScatterAdd.Saved(axis, of.input(2));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("ScatterElements")
          .with("axis", axis)
          .withText("reduction", "add")
          .of(inputs[0], inputs[2], inputs[1]);
    }

    private record Saved(int axis, Tensor index) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor added = needed[1] ? new Gather(axis).inBackward(gradient, index) : null;
        return new Tensor[] {gradient, added, null};
      }
    }
  }
}
