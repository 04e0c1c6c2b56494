// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Broadcast;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Operations that change the shape or the order of axes.
public final class ShapeOps {
  private ShapeOps() {}

  /// See [Tensor#reshape].
  public static Tensor reshape(Tensor x, int... sizes) {
    return new Reshape(inferred(x.shape(), sizes)).apply(x);
  }

  /// Infers a size of -1 from the others.
  private static Shape inferred(Shape from, int... sizes) {
    int[] known = sizes.clone();
    int open = IntStream.range(0, sizes.length).filter(i -> sizes[i] == -1).findFirst().orElse(-1);
    if (open >= 0) {
      known[open] = 1;
      int others = Shape.of(known).elements();
      if (others == 0 ? from.elements() != 0 : from.elements() % others != 0) {
        throw new ShapeException(
            "reshape",
            "%s holds %d values, %s needs a multiple of %d"
                .formatted(from, from.elements(), Arrays.toString(sizes), others));
      }
      known[open] = others == 0 ? 0 : from.elements() / others;
    }
    Shape shape = Shape.of(known);
    if (shape.elements() != from.elements()) {
      throw new ShapeException(
          "reshape",
          "%s holds %d values, %s needs %d"
              .formatted(from, from.elements(), shape, shape.elements()));
    }
    return shape;
  }

  /// See [Tensor#flatten].
  public static Tensor flatten(Tensor x, int startAxis) {
    Shape shape = x.shape();
    int start = shape.axis("flatten", startAxis);
    int[] sizes = Arrays.copyOf(shape.toArray(), start + 1);
    for (int axis = start + 1; axis < shape.rank(); axis++) {
      sizes[start] *= shape.size(axis);
    }
    return new Reshape(Shape.of(sizes)).apply(x);
  }

  /// See [Tensor#unsqueeze].
  public static Tensor unsqueeze(Tensor x, int axis) {
    int[] sizes = x.shape().toArray();
    int at = Shape.of(Arrays.copyOf(sizes, sizes.length + 1)).axis("unsqueeze", axis);
    int[] more = new int[sizes.length + 1];
    System.arraycopy(sizes, 0, more, 0, at);
    more[at] = 1;
    System.arraycopy(sizes, at, more, at + 1, sizes.length - at);
    return new Reshape(Shape.of(more)).apply(x);
  }

  /// See [Tensor#squeeze].
  public static Tensor squeeze(Tensor x, int axis) {
    int at = x.shape().axis("squeeze", axis);
    if (x.shape().size(at) != 1) {
      throw new ShapeException(
          "squeeze", "axis " + axis + " of " + x.shape() + " cannot be removed; its size is not 1");
    }
    int[] sizes = x.shape().toArray();
    int[] others = Arrays.copyOf(sizes, sizes.length - 1);
    System.arraycopy(sizes, at + 1, others, at, others.length - at);
    return new Reshape(Shape.of(others)).apply(x);
  }

  private record Reshape(Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return inputs[0].sharedAs(shape);
    }

    @Override
    public Derivative derivative(Application of) {
      Shape before = of.shape(0);
      return (gradient, needed) -> new Tensor[] {new Reshape(before).inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return inputs[0].reshaped(shape);
    }
  }

  /// See [Tensor#transpose].
  public static Tensor transpose(Tensor x, int first, int second) {
    int[] axes = IntStream.range(0, x.shape().rank()).toArray();
    int a = x.shape().axis("transpose", first);
    int b = x.shape().axis("transpose", second);
    axes[a] = b;
    axes[b] = a;
    return new Permute("transpose", axes).apply(x);
  }

  /// See [Tensor#permute].
  public static Tensor permute(Tensor x, int... axes) {
    Shape shape = x.shape();
    int[] order = IntStream.of(axes).map(axis -> shape.axis("permute", axis)).toArray();
    if (order.length != shape.rank() || IntStream.of(order).distinct().count() != order.length) {
      throw new ShapeException(
          "permute", Arrays.toString(axes) + " does not name each axis of " + shape + " once");
    }
    return new Permute("permute", order).apply(x);
  }

  /// See [Tensor#expand].
  public static Tensor expand(Tensor x, int... sizes) {
    Shape shape = Shape.of(sizes);
    if (!Broadcast.shape("expand", x.shape(), shape).equals(shape)) {
      throw new ShapeException("expand", x.shape() + " cannot be expanded to " + shape);
    }
    return new Broadcast.Expand(shape).apply(x);
  }

  /// See [Tensor#meshgrid].
  public static List<Tensor> meshgrid(List<Tensor> axes) {
    int[] sizes = new int[axes.size()];
    for (int i = 0; i < sizes.length; i++) {
      Shape shape = axes.get(i).shape();
      if (shape.rank() != 1) {
        throw new ShapeException(
            "meshgrid", "tensor " + i + " is " + shape + "; expected one axis");
      }
      sizes[i] = shape.size(0);
    }
    List<Tensor> grids = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      int[] ones = new int[sizes.length - i];
      Arrays.fill(ones, 1);
      ones[0] = sizes[i];
      grids.add(axes.get(i).reshape(ones).expand(sizes));
    }
    return grids;
  }
}
