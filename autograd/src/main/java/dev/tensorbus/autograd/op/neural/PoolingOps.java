// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.shape.PoolingWindows;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.FusedForward;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.ValuesAt;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Operations that downsample images.
public final class PoolingOps {
  private PoolingOps() {}

  /// See [Tensor#maxPool2d].
  public static Tensor maxPool2d(Tensor x, int window) {
    Shape shape = x.shape();
    requireImages("maxPool2d", shape);
    if (window < 1 || window > shape.size(2) || window > shape.size(3)) {
      throw new ShapeException("maxPool2d", "a window of " + window + " does not fit " + shape);
    }
    return maxPool2d(x, Sliding.Pair.of(window), Sliding.ONE.withStride(window));
  }

  /// See [dev.tensorbus.nn.functional.Poolings#maxPool2d].
  public static Tensor maxPool2d(Tensor x, Sliding.Pair kernel, Sliding sliding) {
    PoolingShape shape = sliding("maxPool2d", x, kernel, sliding);
    Sliding.Pair dilation = sliding.dilation();
    OnnxOperator onnx =
        sliding("MaxPool", kernel, sliding).with("dilations", dilation.rows(), dilation.columns());
    return new MaxPool2d(shape, onnx).apply(x);
  }

  /// See [dev.tensorbus.nn.functional.Poolings#adaptiveMaxPool2d].
  public static Tensor adaptiveMaxPool2d(Tensor x, Sliding.Pair size) {
    PoolingShape shape = adaptive("adaptiveMaxPool2d", x, size);
    if (Trace.isOn()) {
      // ONNX's pooling does not apply, since its windows all have the same size.
      return greatest(greatest(x, 3, shape.columns()), 2, shape.rows());
    }
    return new MaxPool2d(shape, operator("MaxPool")).apply(x);
  }

  /// Takes the maximum over each window along one axis.
  private static Tensor greatest(Tensor x, int axis, PoolingWindows windows) {
    return Tensor.stack(
        Arrays.stream(windows.places())
            .map(window -> x.slice(axis, window[0], window[window.length - 1] + 1).max(axis))
            .toList(),
        axis);
  }

  /// See [dev.tensorbus.nn.functional.Poolings#avgPool2d].
  public static Tensor avgPool2d(Tensor x, Sliding.Pair kernel, Sliding sliding) {
    PoolingShape shape = sliding("avgPool2d", x, kernel, sliding);
    OnnxOperator onnx = sliding("AveragePool", kernel, sliding).with("count_include_pad", 1);
    boolean isDilated = !sliding.dilation().equals(Sliding.Pair.of(1)); // since operator set 19
    return new AvgPool2d(shape, isDilated ? images -> means(images, shape, x.dtype()) : onnx::of)
        .apply(x);
  }

  /// See [dev.tensorbus.nn.functional.Poolings#adaptiveAvgPool2d].
  public static Tensor adaptiveAvgPool2d(Tensor x, Sliding.Pair size) {
    PoolingShape shape = adaptive("adaptiveAvgPool2d", x, size);
    return new AvgPool2d(shape, images -> means(images, shape, x.dtype())).apply(x);
  }

  /// Returns the windows, after checking that they fit and that none covers only padding.
  private static PoolingShape sliding(
      String operation, Tensor x, Sliding.Pair kernel, Sliding sliding) {
    Shape shape = x.shape();
    requireImages(operation, shape);
    Sliding.Pair padding = sliding.padding();
    if (2 * padding.rows() > kernel.rows() || 2 * padding.columns() > kernel.columns()) {
      throw new ShapeException(
          operation,
          "a padding of %s is more than half of the window %s".formatted(padding, kernel));
    }
    Window rows =
        new Window(
            shape.size(2),
            kernel.rows(),
            sliding.stride().rows(),
            padding.rows(),
            sliding.dilation().rows());
    Window columns =
        new Window(
            shape.size(3),
            kernel.columns(),
            sliding.stride().columns(),
            padding.columns(),
            sliding.dilation().columns());
    if (rows.outputs() < 1 || columns.outputs() < 1) {
      throw new ShapeException(operation, "a window of " + kernel + " does not fit " + shape);
    }
    return checked(operation, x, PoolingWindows.sliding(rows), PoolingWindows.sliding(columns));
  }

  private static PoolingShape adaptive(String operation, Tensor x, Sliding.Pair size) {
    requireImages(operation, x.shape());
    return checked(
        operation,
        x,
        PoolingWindows.adaptive(x.shape().size(2), size.rows()),
        PoolingWindows.adaptive(x.shape().size(3), size.columns()));
  }

  private static void requireImages(String operation, Shape shape) {
    if (shape.rank() != 4) {
      throw new ShapeException(operation, shape + " has " + shape.rank() + " axes, not four");
    }
  }

  private static PoolingShape checked(
      String operation, Tensor x, PoolingWindows rows, PoolingWindows columns) {
    Compute.requireFloating(operation, x);
    if (rows.hasEmpty() || columns.hasEmpty()) {
      throw new ShapeException(operation, "a window covers no value of " + x.shape());
    }
    return new PoolingShape(x.shape().size(0) * x.shape().size(1), rows, columns);
  }

  private static Shape result(Tensor x, PoolingShape shape) {
    return Shape.of(
        x.shape().size(0), x.shape().size(1), shape.rows().count(), shape.columns().count());
  }

  private static OnnxOperator sliding(String name, Sliding.Pair kernel, Sliding sliding) {
    Sliding.Pair padding = sliding.padding();
    return operator(name)
        .with("kernel_shape", kernel.rows(), kernel.columns())
        .with("strides", sliding.stride().rows(), sliding.stride().columns())
        .with("pads", padding.rows(), padding.columns(), padding.rows(), padding.columns());
  }

  private record MaxPool2d(PoolingShape shape, OnnxOperator onnx) implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = new int[shape.outputs()];
      Tensor greatest =
          Compute.result(x, result(x, shape), (k, y) -> k.maxPool(shape, array(x), y, positions));
      if (Trace.isOn()) {
        long[] places = Arrays.stream(positions).asLongStream().toArray();
        Tensor index = Trace.run(new Places(onnx), () -> Tensor.ofLongs(places), x);
        return new Result(greatest, new Traced(x.shape(), index));
      }
      return new Result(greatest, new Greatest(x.shape(), positions));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return onnx.of(inputs);
    }
  }

  /// Computes the indices of the maxima in a trace, for the derivative.
  private record Places(OnnxOperator onnx) implements Traceable {
    @Override
    public String name() {
      return "maxPool2d";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      return List.of(operator("Reshape").of(onnx.all(2, inputs).get(1), ints(-1)));
    }
  }

  /// Adds each gradient at the index of the maximum, by operations that a trace records.
  private record Traced(Shape shape, Tensor index) implements Operation.Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      Tensor all =
          Tensor.full(Shape.of(shape.elements()), gradient.dtype(), 0)
              .scatterAdd(0, index, gradient.reshape(-1));
      return new Tensor[] {all.reshape(shape.toArray())};
    }
  }

  /// Adds each gradient at the index of the maximum.
  private record Greatest(Shape shape, int[] positions) implements Operation.Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      return new Tensor[] {ValuesAt.add(positions, gradient, shape)};
    }
  }

  private record AvgPool2d(PoolingShape shape, UnaryOperator<OnnxValue> onnx) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, result(x, shape), (k, y) -> k.avgPool(shape, array(x), y));
    }

    @Override
    public Derivative derivative(Application of) {
      Shape images = of.shape(0);
      return (gradient, needed) -> new Tensor[] {new Spread(images, this).inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return onnx.apply(inputs[0]);
    }
  }

  /// The derivative of average pooling: each value gets an equal fraction of the gradient of every
  /// window that covers it.
  private record Spread(Shape images, AvgPool2d pool) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Object means = array(inputs[0]);
      return Compute.result(
          inputs[0], images, (k, dx) -> k.avgPoolGradient(pool.shape(), means, dx));
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> new Tensor[] {pool.inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      DType type = inputs[0].type();
      Tensor rows = means(pool.shape().rows(), type).transpose(0, 1);
      return product(rows, inputs[0], means(pool.shape().columns(), type));
    }
  }

  /// Computes the means with one matrix product per axis.
  private static OnnxValue means(OnnxValue images, PoolingShape shape, DType type) {
    return product(means(shape.rows(), type), images, means(shape.columns(), type).transpose(0, 1));
  }

  private static OnnxValue product(Tensor rows, OnnxValue images, Tensor columns) {
    OnnxValue down = operator("MatMul").of(new OnnxValue.Constant(rows), images);
    return operator("MatMul").of(down, new OnnxValue.Constant(columns));
  }

  /// Returns a matrix `[windows, size]` that computes the mean of each window.
  private static Tensor means(PoolingWindows windows, DType type) {
    double[] factors = new double[windows.count() * windows.size()];
    for (int window = 0; window < windows.count(); window++) {
      for (int place : windows.places()[window]) {
        factors[window * windows.size() + place] = 1.0 / windows.divisors()[window];
      }
    }
    return Tensor.of(Shape.of(windows.count(), windows.size()), factors).to(type);
  }
}
