// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.op.ConvolutionOps;
import dev.tensorbus.autograd.op.DropoutOps;
import dev.tensorbus.autograd.op.ElementwiseOps;
import dev.tensorbus.autograd.op.MatrixOps;
import dev.tensorbus.autograd.op.PoolingOps;
import dev.tensorbus.autograd.op.ReductionOps;
import dev.tensorbus.autograd.op.ShapeOps;
import dev.tensorbus.autograd.op.TypeOps;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Values with a shape and a [DType], and where they came from. After `torch.Tensor`.
///
/// Operations return new tensors; values never change under a reader. A leaf, such as a
/// parameter, changes by getting a new version of its values (see [#update]); a graph keeps the
/// versions that it saved, so any number of threads may compute forward and backward while
/// another steps.
///
/// Values lie in row-major order without gaps: an operation that moves values copies them, only
/// [#reshape] and its kin share. Operations compute in float32 and float64; where types meet, the
/// result has the later of [DType]'s order, as in torch. Shapes are checked here, at the edge; an
/// operation that is given shapes that do not fit throws [ShapeException].
public final class Tensor {
  /// How many values [#toString] writes.
  private static final int SHOWN = 8;

  private final Shape shape;
  private final DType dtype;
  private final boolean requiresGrad;
  private final @Nullable Edge origin;
  private volatile Object storage;
  private @Nullable Leaf leaf;
  private @Nullable Tensor grad;

  private Tensor(Shape shape, Object storage, boolean requiresGrad, @Nullable Edge origin) {
    this.dtype = DType.of(storage);
    requireFull("tensor", shape, storage);
    if (requiresGrad && !dtype.isFloating()) {
      throw new IllegalArgumentException(
          "tensor: " + dtype + " values have no gradient; convert them with to(DType.FLOAT32)");
    }
    this.shape = shape;
    this.storage = storage;
    this.requiresGrad = requiresGrad;
    this.origin = origin;
  }

  private static void requireFull(String what, Shape shape, Object storage) {
    int length = Array.getLength(storage);
    if (length != shape.elements()) {
      throw new ShapeException(
          what, length + " values do not fill " + shape + ", which holds " + shape.elements());
    }
  }

  /// Wraps values in row-major order; the array now belongs to the tensor, do not write to it.
  public static Tensor of(Shape shape, float[] values) {
    return new Tensor(shape, values, false, null);
  }

  /// Wraps an array of any type that tensors hold: `float[]`, `double[]`, `long[]` or
  /// `boolean[]`. It now belongs to the tensor, do not write to it.
  public static Tensor ofStorage(Shape shape, Object storage) {
    return new Tensor(shape, storage, false, null);
  }

  /// The result of a recorded function: these values, whose gradient goes to `origin`. For those
  /// who write functions of their own.
  public static Tensor recorded(Tensor value, Edge origin) {
    return new Tensor(value.shape, value.storage, true, Objects.requireNonNull(origin));
  }

  /// A leaf with these values whose gradient is wanted: what a layer learns. After
  /// `nn.Parameter`.
  public static Tensor parameter(Shape shape, float[] values) {
    return new Tensor(shape, values, true, null);
  }

  /// A leaf with the present values of a tensor whose gradient is wanted.
  public static Tensor parameterOf(Tensor values) {
    return new Tensor(values.shape, values.storage, true, null);
  }

  /// Makes a one-axis tensor.
  public static Tensor of(float... values) {
    return of(Shape.of(values.length), values);
  }

  /// Makes a one-axis float64 tensor.
  public static Tensor ofDoubles(double... values) {
    return ofStorage(Shape.of(values.length), values);
  }

  /// Makes a one-axis int64 tensor: indices or labels.
  public static Tensor ofLongs(long... values) {
    return ofStorage(Shape.of(values.length), values);
  }

  /// Makes a one-axis boolean tensor: a mask.
  public static Tensor ofBooleans(boolean... values) {
    return ofStorage(Shape.of(values.length), values);
  }

  /// The whole numbers from 0 to `end - 1`.
  public static Tensor arange(int end) {
    return ofLongs(LongStream.range(0, end).toArray());
  }

  /// A single value.
  public static Tensor scalar(float value) {
    return of(Shape.SCALAR, new float[] {value});
  }

  /// Zeros of this shape.
  public static Tensor zeros(int... sizes) {
    Shape shape = Shape.of(sizes);
    return of(shape, new float[shape.elements()]);
  }

  /// Ones of this shape.
  public static Tensor ones(int... sizes) {
    return full(Shape.of(sizes), DType.FLOAT32, 1);
  }

  /// The same value everywhere, rounded to the type; any but 0 is true.
  public static Tensor full(Shape shape, DType type, double value) {
    Object storage = type.newArray(shape.elements());
    switch (storage) {
      case float[] floats -> Arrays.fill(floats, (float) value);
      case double[] doubles -> Arrays.fill(doubles, value);
      case long[] longs -> Arrays.fill(longs, (long) value);
      default -> Arrays.fill((boolean[]) storage, value != 0);
    }
    return ofStorage(shape, storage);
  }

  /// Standard normal values of this shape. After `torch.randn`, with the generator given.
  public static Tensor randn(RandomGenerator random, int... sizes) {
    Shape shape = Shape.of(sizes);
    float[] values = new float[shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return of(shape, values);
  }

  /// The sizes of the axes.
  public Shape shape() {
    return shape;
  }

  /// What kind of values these are.
  public DType dtype() {
    return dtype;
  }

  /// The present version of float32 values, in row-major order: shared, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public float[] values() {
    if (storage instanceof float[] values) {
      return values;
    }
    throw wrong("values", DType.FLOAT32);
  }

  /// The present version of float64 values: shared, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public double[] doubles() {
    if (storage instanceof double[] values) {
      return values;
    }
    throw wrong("doubles", DType.FLOAT64);
  }

  /// The present version of int64 values: shared, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public long[] longs() {
    if (storage instanceof long[] values) {
      return values;
    }
    throw wrong("longs", DType.INT64);
  }

  /// The present version of boolean values: shared, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public boolean[] booleans() {
    if (storage instanceof boolean[] values) {
      return values;
    }
    throw wrong("booleans", DType.BOOL);
  }

  private IllegalStateException wrong(String accessor, DType expected) {
    return new IllegalStateException(
        "%s: tensor %s holds %s values; read them with %s() or convert them with to(DType.%s)"
            .formatted(accessor, shape, dtype, accessorOf(dtype), expected.name()));
  }

  private static String accessorOf(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> "values";
      case FLOAT64 -> "doubles";
      case INT64 -> "longs";
      case BOOL -> "booleans";
    };
  }

  /// The present version of the values, whatever their type: the array that [DType#newArray]
  /// makes. Shared, never write to it.
  public Object storage() {
    return storage;
  }

  /// The only value of a tensor that holds one, as float32.
  public float item() {
    return (float) itemDouble();
  }

  /// The only value of a tensor that holds one, as float64; true is 1.
  public double itemDouble() {
    if (shape.elements() != 1) {
      throw new ShapeException("item", shape + " holds " + shape.elements() + " values, not one");
    }
    return to(DType.FLOAT64).doubles()[0];
  }

  /// Whether a gradient for this tensor is wanted.
  public boolean requiresGrad() {
    return requiresGrad;
  }

  /// Whether nobody computed this tensor: it was made from values.
  public boolean isLeaf() {
    return origin == null;
  }

  /// The same values, cut off from the graph.
  public Tensor detach() {
    return ofStorage(shape, storage);
  }

  /// The same values in another type, after Java's conversions; NaN is true. This tensor if it
  /// has that type. The gradient comes back converted.
  public Tensor to(DType type) {
    return TypeOps.to(this, type);
  }

  /// What [#backward] has summed up for this leaf, or null before the first.
  public synchronized @Nullable Tensor grad() {
    return grad;
  }

  /// Forgets the gradient.
  public synchronized void zeroGrad() {
    grad = null;
  }

  /// Gives this leaf a new version of its float32 values, computed from the present one.
  /// Concurrent updates follow one another; who read the old version keeps it.
  ///
  /// @param next returns a new array of the same length, or its argument for no change
  public void update(UnaryOperator<float[]> next) {
    replace(present -> of(shape, next.apply(present.values())));
  }

  /// Gives this leaf a new version of its values, whatever their type.
  ///
  /// @param next returns a tensor of the same shape and type, or its argument for no change
  public synchronized void replace(UnaryOperator<Tensor> next) {
    if (origin != null) {
      throw new IllegalStateException(
          "update: " + origin.node() + " computed this tensor; only a leaf gets new values");
    }
    Tensor updated = next.apply(detach());
    if (!updated.shape.equals(shape) || updated.dtype != dtype) {
      throw new ShapeException(
          "update",
          "%s %s does not replace %s %s".formatted(updated.dtype, updated.shape, dtype, shape));
    }
    storage = updated.storage;
  }

  /// Where this tensor's gradient goes; [Edge#NONE] when none is wanted.
  public synchronized Edge gradientEdge() {
    if (!requiresGrad) {
      return Edge.NONE;
    }
    if (origin != null) {
      return origin;
    }
    if (leaf == null) {
      leaf = new Leaf(this);
    }
    return new Edge(leaf, 0);
  }

  /// Computes the gradient of this scalar with respect to every leaf that it depends on, and adds
  /// each to the leaf's [#grad]. After `torch.Tensor.backward`.
  public void backward() {
    Node root = gradientEdge().node();
    if (root == null) {
      throw new IllegalStateException(
          "backward: nothing that this tensor was computed from requires a gradient");
    }
    if (shape.elements() != 1) {
      throw new ShapeException("backward", "starts from a scalar, this is " + shape);
    }
    @Nullable Tensor[] gradients = new Tensor[root.outputs()];
    gradients[gradientEdge().output()] = full(shape, dtype, 1);
    NoGrad.call(
        () -> {
          new BackwardPass(List.of(root), Tensor::accumulate)
              .resolve(root, Arrays.asList(gradients));
          return true;
        });
  }

  private static void accumulate(Node end, @Nullable Tensor[] gradients) {
    if (end instanceof Leaf leaf && gradients[0] != null) {
      leaf.tensor().accumulate(gradients[0]);
    }
  }

  private synchronized void accumulate(Tensor gradient) {
    grad = grad == null ? gradient : grad.add(gradient);
  }

  // Operations, in order of increasing complexity.

  /// Multiplies every value by `factor`.
  public Tensor scale(double factor) {
    return ElementwiseOps.scale(this, factor);
  }

  /// Adds elementwise a tensor of this shape, or of its last axes: a `[k]` bias goes to each row
  /// of `[n, k]`, a scalar to all.
  ///
  /// @throws ShapeException if `other` has another shape
  public Tensor add(Tensor other) {
    return ElementwiseOps.add(this, other);
  }

  /// Subtracts elementwise.
  ///
  /// @throws ShapeException if the shapes differ
  public Tensor sub(Tensor other) {
    return ElementwiseOps.sub(this, other);
  }

  /// Multiplies elementwise.
  ///
  /// @throws ShapeException if the shapes differ
  public Tensor mul(Tensor other) {
    return ElementwiseOps.mul(this, other);
  }

  /// `|x|` elementwise; the derivative at 0 is 0.
  public Tensor abs() {
    return ElementwiseOps.abs(this);
  }

  /// `max(x, 0)` elementwise; the derivative at 0 is 0.
  public Tensor relu() {
    return ElementwiseOps.relu(this);
  }

  /// The same values under other sizes.
  ///
  /// @throws ShapeException if the number of values would change
  public Tensor reshape(int... sizes) {
    return ShapeOps.reshape(this, sizes);
  }

  /// Makes one axis of `startAxis` and all after it: `[n, c, h, w]` from axis 1 is `[n, c * h *
  /// w]`.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor flatten(int startAxis) {
    return ShapeOps.flatten(this, startAxis);
  }

  /// The sum of all values, a scalar.
  public Tensor sum() {
    return ReductionOps.sum(this);
  }

  /// The mean of all values, a scalar.
  ///
  /// @throws ShapeException if there are none
  public Tensor mean() {
    return ReductionOps.mean(this);
  }

  /// The index of the greatest value along the last axis, the first of equal ones; NaN is greater
  /// than any number. `[n, k]` gives `n` indices.
  ///
  /// @throws ShapeException if `axis` is not the last
  public int[] argmax(int axis) {
    return ReductionOps.argmax(this, axis);
  }

  /// `log(exp(x) / sum(exp(x)))` along the last axis, without overflow.
  ///
  /// @throws ShapeException if `axis` is not the last
  public Tensor logSoftmax(int axis) {
    return ReductionOps.logSoftmax(this, axis);
  }

  /// Leaves each value out with this probability and scales the rest by `1 / (1 - probability)`.
  /// Equal generators give equal results.
  ///
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public Tensor dropout(float probability, RandomGenerator random) {
    return DropoutOps.dropout(this, probability, random);
  }

  /// Does so for whole channels of `[n, c, h, w]`. After `torch.nn.functional.dropout2d`.
  ///
  /// @throws ShapeException if there are not four axes
  public Tensor dropout2d(float probability, RandomGenerator random) {
    return DropoutOps.dropout2d(this, probability, random);
  }

  /// Multiplies `[m, k]` by `[k, n]`, giving `[m, n]`.
  ///
  /// @throws ShapeException if the inner sizes differ
  public Tensor matmul(Tensor other) {
    return MatrixOps.matmul(this, other);
  }

  /// `x · weightᵀ + bias`: `[n, in]` with weight `[out, in]` and bias `[out]` gives `[n, out]`.
  /// After `torch.nn.functional.linear`.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor linear(Tensor weight, Tensor bias) {
    return MatrixOps.linear(this, weight, bias);
  }

  /// Greatest values of squares of `window` by `window` that do not overlap: `[n, c, h, w]` gives
  /// `[n, c, h / window, w / window]`, rounded down. After `torch.nn.functional.max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window is larger than an image
  public Tensor maxPool2d(int window) {
    return PoolingOps.maxPool2d(this, window);
  }

  /// Correlates images with filters, stride 1, no padding: `[n, c, h, w]` with weight `[f, c, u,
  /// v]` and bias `[f]` gives `[n, f, h - u + 1, w - v + 1]`. After `torch.nn.functional.conv2d`.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor conv2d(Tensor weight, Tensor bias) {
    return ConvolutionOps.conv2d(this, weight, bias);
  }

  /// Type, shape and the first values, for people.
  @Override
  public String toString() {
    Object present = storage;
    String shown =
        IntStream.range(0, Math.min(shape.elements(), SHOWN))
            .mapToObj(i -> String.valueOf(Array.get(present, i)))
            .collect(Collectors.joining(", "));
    String type = dtype == DType.FLOAT32 ? "" : " " + dtype;
    return "Tensor" + shape + type + "[" + shown + (shape.elements() > SHOWN ? ", …]" : "]");
  }
}
