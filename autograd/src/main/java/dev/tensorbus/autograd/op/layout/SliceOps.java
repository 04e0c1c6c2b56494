// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.Views;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Operations that split and join tensors.
public final class SliceOps {
  private SliceOps() {}

  /// See [Tensor#slice].
  public static Tensor slice(Tensor x, int axis, int start, int end) {
    int along = x.shape().axis("slice", axis);
    int size = x.shape().size(along);
    if (start < 0 || end < start || end > size) {
      throw new ShapeException(
          "slice", "[%d, %d) is not within axis %d of %s".formatted(start, end, axis, x.shape()));
    }
    return part(x.shape(), along, start, end).apply(x);
  }

  /// Returns the operation that takes a slice of a tensor of this shape.
  private static StridedCopy part(Shape shape, int axis, int start, int end) {
    Strided view = Strided.all(shape.toArray()).sliced(axis, start, end - start, 1);
    int after = shape.size(axis) - end;
    return new StridedCopy(
        "slice",
        view,
        values -> sliced(values, axis, start, end, 1),
        gradient ->
            operator("Pad").of(gradient, ints(start, after), new OnnxValue.Absent(), ints(axis)));
  }

  private static OnnxValue sliced(OnnxValue x, int axis, int start, int end, int step) {
    return operator("Slice").of(x, ints(start), ints(end), ints(axis), ints(step));
  }

  /// See [Tensor#select].
  public static Tensor select(Tensor x, int axis, int index) {
    int along = x.shape().axis("select", axis);
    int size = x.shape().size(along);
    if (index < -size || index >= size) {
      throw new ShapeException(
          "select",
          "index %d is out of bounds for axis %d of %s".formatted(index, axis, x.shape()));
    }
    int at = index < 0 ? index + size : index;
    return slice(x, along, at, at + 1).squeeze(along);
  }

  /// See [Tensor#flip].
  public static Tensor flip(Tensor x, int... axes) {
    int[] along = Arrays.stream(axes).map(axis -> x.shape().axis("flip", axis)).toArray();
    if (Arrays.stream(along).distinct().count() != along.length) {
      throw new ShapeException(
          "flip", Arrays.toString(axes) + " names an axis of " + x.shape() + " twice");
    }
    Strided view = all(x);
    for (int axis : along) {
      int size = x.shape().size(axis);
      view = view.sliced(axis, size - 1, size, -1);
    }
    UnaryOperator<OnnxValue> onnx = values -> flipped(values, along);
    return new StridedCopy("flip", view, onnx, onnx).apply(x);
  }

  private static OnnxValue flipped(OnnxValue x, int... axes) {
    int[] lasts = new int[axes.length];
    Arrays.fill(lasts, -1);
    // The end must be lower than any index, and -1 would mean the last index.
    int[] ends = new int[axes.length];
    Arrays.fill(ends, Integer.MIN_VALUE);
    return operator("Slice").of(x, ints(lasts), ints(ends), ints(axes), ints(lasts));
  }

  /// See [Tensor#roll].
  public static Tensor roll(Tensor x, int shift, int axis) {
    int along = x.shape().axis("roll", axis);
    int size = x.shape().size(along);
    int first = size == 0 ? 0 : Math.floorMod(-shift, size);
    if (first == 0) {
      return slice(x, along, 0, size);
    }
    return concatenate(List.of(slice(x, along, first, size), slice(x, along, 0, first)), along);
  }

  /// See [Tensor#split].
  public static List<Tensor> split(Tensor x, int size, int axis) {
    int along = x.shape().axis("split", axis);
    if (size < 1) {
      throw new ShapeException("split", "parts of size " + size + "; expected at least 1");
    }
    List<Tensor> parts = new ArrayList<>();
    for (int start = 0; start < x.shape().size(along); start += size) {
      parts.add(slice(x, along, start, Math.min(start + size, x.shape().size(along))));
    }
    return parts;
  }

  /// See [Tensor#concatenate].
  public static Tensor concatenate(List<Tensor> parts, int axis) {
    requireSome("concatenate", parts);
    Shape first = parts.getFirst().shape();
    int along = first.axis("concatenate", axis);
    int[] sizes = first.toArray();
    sizes[along] = 0;
    for (Tensor part : parts) {
      requireFitting(first, part.shape(), along);
      sizes[along] += part.shape().size(along);
    }
    DType type = requireOneType("concatenate", parts);
    return new Concatenate(Shape.of(sizes), type, along).apply(parts.toArray(Tensor[]::new));
  }

  private static void requireSome(String operation, List<Tensor> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(operation + ": expected at least one tensor");
    }
  }

  private static DType requireOneType(String operation, List<Tensor> parts) {
    DType type = parts.getFirst().dtype();
    for (Tensor part : parts) {
      if (part.dtype() != type) {
        throw new IllegalArgumentException(
            "%s: requires values of one type, not %s and %s; convert one with to(DType.%s)"
                .formatted(operation, type, part.dtype(), type.name()));
      }
    }
    return type;
  }

  private static void requireFitting(Shape first, Shape part, int along) {
    int[] sizes = part.toArray();
    if (sizes.length == first.rank()) {
      sizes[along] = first.size(along);
    }
    if (!Arrays.equals(sizes, first.toArray())) {
      throw new ShapeException(
          "concatenate", "%s and %s differ in axes other than %d".formatted(first, part, along));
    }
  }

  private record Concatenate(Shape shape, DType type, int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      HeapStorage values = HeapStorage.zeros(type, shape.elements());
      Strided[] places = places(Arrays.stream(inputs).map(Tensor::shape).toList());
      for (int i = 0; i < inputs.length; i++) {
        Views.scatter(places[i], inputs[i].heap(), values);
      }
      return Tensor.ofStorage(shape, values);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Concatenate.Saved(
          axis, IntStream.range(0, of.inputs()).map(i -> of.shape(i).size(axis)).toArray());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Concat").with("axis", axis).of(inputs);
    }

    /// Returns, for each part, the view of its values in the result.
    private Strided[] places(List<Shape> parts) {
      Strided[] places = new Strided[parts.size()];
      int start = 0;
      for (int i = 0; i < places.length; i++) {
        int size = parts.get(i).size(axis);
        places[i] = Strided.all(shape.toArray()).sliced(axis, start, size, 1);
        start += size;
      }
      return places;
    }

    /// @param sizes the sizes of the parts along the axis
    private record Saved(int axis, int[] sizes) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        @Nullable Tensor[] gradients = new Tensor[sizes.length];
        int start = 0;
        for (int i = 0; i < sizes.length; i++) {
          int end = start + sizes[i];
          if (needed[i]) {
            gradients[i] = part(gradient.shape(), axis, start, end).inBackward(gradient);
          }
          start = end;
        }
        return gradients;
      }
    }
  }

  /// See [Tensor#stack].
  public static Tensor stack(List<Tensor> parts, int axis) {
    requireSome("stack", parts);
    Shape first = parts.getFirst().shape();
    for (Tensor part : parts) {
      if (!part.shape().equals(first)) {
        throw new ShapeException("stack", first + " and " + part.shape() + " differ");
      }
    }
    return concatenate(parts.stream().map(part -> part.unsqueeze(axis)).toList(), axis);
  }

  /// See [Tensor#pad].
  public static Tensor pad(Tensor x, int axis, int before, int after, double value) {
    int along = x.shape().axis("pad", axis);
    if (before < 0 || after < 0) {
      throw new ShapeException(
          "pad", before + " before and " + after + " after; to remove values, use slice");
    }
    return new Pad(along, before, after, value).apply(x);
  }

  private record Pad(int axis, int before, int after, double value) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      Shape shape = Shape.of(sizes(x.shape()));
      HeapStorage padded = HeapStorage.filled(x.dtype(), shape.elements(), value);
      Views.scatter(inside(x.shape()), x.heap(), padded);
      return Tensor.ofStorage(shape, padded);
    }

    @Override
    public Derivative derivative(Application of) {
      int end = before + of.shape(0).size(axis);
      return (gradient, needed) ->
          new Tensor[] {part(gradient.shape(), axis, before, end).inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Pad")
          .of(inputs[0], ints(before, after), inputs[0].number(value), ints(axis));
    }

    private int[] sizes(Shape shape) {
      int[] sizes = shape.toArray();
      sizes[axis] += before + after;
      return sizes;
    }

    /// Returns the view of the original values in the result.
    private Strided inside(Shape shape) {
      return Strided.all(sizes(shape)).sliced(axis, before, shape.size(axis), 1);
    }
  }

  private static Strided all(Tensor x) {
    return Strided.all(x.shape().toArray());
  }
}
