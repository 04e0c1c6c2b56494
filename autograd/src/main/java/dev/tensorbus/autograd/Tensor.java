// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Leaf;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.op.ArithmeticOps;
import dev.tensorbus.autograd.op.ComparisonOps;
import dev.tensorbus.autograd.op.MatrixOps;
import dev.tensorbus.autograd.op.ReductionOps;
import dev.tensorbus.autograd.op.TypeOps;
import dev.tensorbus.autograd.op.UnaryOps;
import dev.tensorbus.autograd.op.axis.NormOps;
import dev.tensorbus.autograd.op.axis.ScanOps;
import dev.tensorbus.autograd.op.layout.IndexOps;
import dev.tensorbus.autograd.op.layout.ShapeOps;
import dev.tensorbus.autograd.op.layout.SliceOps;
import dev.tensorbus.autograd.op.neural.ConvolutionOps;
import dev.tensorbus.autograd.op.neural.PoolingOps;
import dev.tensorbus.autograd.op.neural.RandomOps;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A multidimensional array with a shape, a [DType] and the graph that computed it. Like
/// `torch.Tensor`.
///
/// Operations return new tensors; stored values never change. A leaf, such as a parameter, is
/// updated by replacing its values with a new version (see [#update]). A graph keeps the versions
/// that it saved, so any number of threads may run forward and backward passes while another thread
/// steps the optimizer.
///
/// Values are contiguous in row-major order: an operation that moves values copies them, and only
/// [#reshape] and similar operations share them. The memory is freed when no tensor uses it any
/// longer. Operations compute in float32 and float64; mixed types are promoted to the one that
/// comes later in [DType], as in torch. An operation checks the shapes of its arguments and throws
/// [ShapeException] if they are incompatible.
public final class Tensor {
  /// The maximum number of values that [#toString] shows.
  private static final int SHOWN = 8;

  private final Shape shape;
  private final @Nullable Edge origin;
  private volatile Storage storage;
  private @Nullable Leaf leaf;
  private @Nullable Tensor grad;
  private volatile @Nullable String name;
  private volatile boolean requiresGrad;
  private boolean retainsGrad;

  private Tensor(Shape shape, Storage storage, boolean requiresGrad, @Nullable Edge origin) {
    requireFloatingIf(requiresGrad, storage.dtype());
    this.shape = shape;
    this.storage = storage;
    this.requiresGrad = requiresGrad;
    this.origin = origin;
  }

  private static void requireFloatingIf(boolean requiresGrad, DType type) {
    if (requiresGrad && !type.isFloating()) {
      throw new IllegalArgumentException(
          "tensor: " + type + " values have no gradient; convert them with to(DType.FLOAT32)");
    }
  }

  /// Creates a tensor from values in row-major order. The tensor now owns the storage: do not write
  /// to it.
  ///
  /// @throws ShapeException if the number of values does not match the shape
  public static Tensor ofStorage(Shape shape, Storage values) {
    if (values.size() != shape.numel()) {
      throw new ShapeException(
          "tensor",
          values.size() + " values do not fill " + shape + ", which holds " + shape.numel());
    }
    return new Tensor(shape, values, false, null);
  }

  /// Wraps float32 values in row-major order. The tensor now owns the array: do not write to it.
  public static Tensor of(Shape shape, float[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps float64 values. The tensor now owns the array: do not write to it.
  public static Tensor of(Shape shape, double[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps int64 values. The tensor now owns the array: do not write to it.
  public static Tensor of(Shape shape, long[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps boolean values. The tensor now owns the array: do not write to it.
  public static Tensor of(Shape shape, boolean[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Creates a tensor that is zero except for some rows. The dense values are computed when they
  /// are first requested.
  public static Tensor ofRows(SparseRows rows) {
    return ofLayout(rows);
  }

  /// Creates a tensor whose values are not stored in one array. They are copied into one when all
  /// of them are first requested.
  public static Tensor ofLayout(Layout layout) {
    return new Tensor(layout.shape(), new LayoutStorage(layout), false, null);
  }

  /// Creates the result of a recorded function: `value` with `origin` as its gradient edge. For
  /// authors of custom functions.
  public static Tensor recorded(Tensor value, Edge origin) {
    Edge known = Objects.requireNonNull(origin);
    return new Tensor(value.shape, value.storage, true, known);
  }

  /// Creates a leaf that requires a gradient, such as a layer's parameter. Like
  /// `torch.nn.Parameter`.
  public static Tensor parameter(Shape shape, float[] values) {
    return parameterOf(of(shape, values));
  }

  /// Creates a leaf that requires a gradient, with the current values of a tensor.
  public static Tensor parameterOf(Tensor values) {
    return new Tensor(values.shape, values.heap(), true, null);
  }

  /// Creates a one-axis float32 tensor. Java rounds integers to float without a warning; for int64
  /// values, such as labels and ids, use an array of long or [#ofLongs].
  public static Tensor of(float... values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis float64 tensor.
  public static Tensor of(double[] values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis int64 tensor, such as labels.
  public static Tensor of(long[] values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis boolean tensor, such as a mask.
  public static Tensor of(boolean[] values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis float64 tensor.
  public static Tensor ofDoubles(double... values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis int64 tensor, for indices or labels.
  public static Tensor ofLongs(long... values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates a one-axis boolean tensor, for masks.
  public static Tensor ofBooleans(boolean... values) {
    return of(Shape.of(values.length), values);
  }

  /// Creates an int64 tensor of the integers from 0 to `end - 1`.
  public static Tensor arange(int end) {
    return ofLongs(LongStream.range(0, end).toArray());
  }

  /// Creates a float32 tensor of a single value.
  public static Tensor scalar(float value) {
    return of(Shape.SCALAR, new float[] {value});
  }

  /// Creates a float32 tensor of a single value, so that `scalar(1)` and `scalar(1f)` are equal.
  public static Tensor scalar(int value) {
    return scalar((float) value);
  }

  /// Creates an int64 tensor of a single value, such as a label or an id.
  public static Tensor scalar(long value) {
    return of(Shape.SCALAR, new long[] {value});
  }

  /// Creates a tensor of zeros.
  public static Tensor zeros(int... sizes) {
    Shape shape = Shape.of(sizes);
    return of(shape, new float[shape.elements()]);
  }

  /// Creates a tensor of ones.
  public static Tensor ones(int... sizes) {
    return full(Shape.of(sizes), DType.FLOAT32, 1);
  }

  /// Creates a tensor filled with a value, rounded to the type; for booleans, any value but 0 is
  /// true.
  public static Tensor full(Shape shape, DType type, double value) {
    return ofStorage(shape, HeapStorage.filled(type, shape.elements(), value));
  }

  /// Creates a tensor of standard normal values, with the generator's next long as the seed. Equal
  /// seeds give equal bits on every machine. Like `torch.randn`.
  public static Tensor randn(RandomGenerator random, int... sizes) {
    return RandomOps.randn(random, Shape.of(sizes));
  }

  /// Returns the sizes of the axes.
  public Shape shape() {
    return shape;
  }

  /// Returns the type of the values.
  public DType dtype() {
    return storage.dtype();
  }

  /// Returns the current version of float32 values in row-major order. The array is not a copy:
  /// never write to it. It does not change even if the tensor is updated.
  ///
  /// @throws IllegalStateException if the values are of another type
  public float[] values() {
    return requireType("values", DType.FLOAT32).floats();
  }

  /// Returns the current version of float64 values. The array is not a copy: never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public double[] doubles() {
    return requireType("doubles", DType.FLOAT64).doubles();
  }

  /// Returns the current version of int64 values. The array is not a copy: never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public long[] longs() {
    return requireType("longs", DType.INT64).longs();
  }

  /// Returns the current version of boolean values. The array is not a copy: never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public boolean[] booleans() {
    return requireType("booleans", DType.BOOL).booleans();
  }

  private HeapStorage requireType(String accessor, DType expected) {
    HeapStorage present = heap();
    if (present.dtype() != expected) {
      throw new IllegalStateException(
          "%s: tensor %s holds %s values; read them with %s() or convert them with to(DType.%s)"
              .formatted(
                  accessor, shape, present.dtype(), accessorOf(present.dtype()), expected.name()));
    }
    return present;
  }

  private static String accessorOf(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> "values";
      case FLOAT64 -> "doubles";
      case BFLOAT16 -> "heap";
      case INT64 -> "longs";
      case BOOL -> "booleans";
    };
  }

  /// Returns the current version of the values, wherever they are stored.
  public Storage storage() {
    return storage;
  }

  /// Returns the current version of the values in one array, whatever their type.
  public HeapStorage heap() {
    return storage.heap();
  }

  /// Returns the layout of the current values, or null if they are stored in one array. A sparse
  /// gradient has a layout, and so does a parameter after a step that changed only some of its
  /// rows.
  public @Nullable Layout layout() {
    return storage instanceof LayoutStorage laidOut ? laidOut.layout() : null;
  }

  /// Returns the nonzero rows if this tensor was created by [#ofRows], otherwise null. An optimizer
  /// uses them to leave the other rows unchanged.
  public @Nullable SparseRows sparseRows() {
    return layout() instanceof SparseRows rows ? rows : null;
  }

  /// Returns the value of a one-element tensor as float32.
  public float item() {
    return (float) itemDouble();
  }

  /// Returns the value of a one-element tensor as float64; true is 1.
  public double itemDouble() {
    if (shape.numel() != 1) {
      throw new ShapeException("item", shape + " holds " + shape.numel() + " values, not one");
    }
    return to(DType.FLOAT64).doubles()[0];
  }

  /// Returns whether this tensor requires a gradient.
  public boolean requiresGrad() {
    return requiresGrad;
  }

  /// Freezes or unfreezes this leaf. This affects only results that are computed afterwards.
  /// Optimizers skip frozen parameters. Like `torch.Tensor.requires_grad_`.
  ///
  /// @throws IllegalStateException if `wanted` is false and this tensor is the result of a recorded
  ///     operation
  /// @throws IllegalArgumentException if `wanted` is true and the type has no gradients
  public void requiresGrad(boolean wanted) {
    if (origin != null && !wanted) {
      throw new IllegalStateException(
          "requiresGrad: %s computed this tensor; freeze the tensors it was computed from, or"
                  .formatted(origin.node())
              + " detach it");
    }
    requireFloatingIf(wanted, dtype());
    requiresGrad = wanted;
  }

  /// Returns the name under which a layer registered this parameter, such as `conv1.weight`, or
  /// null. For error messages.
  public @Nullable String name() {
    return name;
  }

  /// Sets the name that error messages use for this tensor.
  public void setName(String name) {
    this.name = Objects.requireNonNull(name);
  }

  /// Returns whether this tensor is not the result of a recorded operation. Like
  /// `torch.Tensor.is_leaf`.
  public boolean isLeaf() {
    return origin == null;
  }

  /// Returns the same values, detached from the graph.
  public Tensor detach() {
    return new Tensor(shape, storage, false, null);
  }

  /// Returns the same values with another shape, detached from the graph.
  ///
  /// @throws ShapeException if `other` has a different number of values
  public Tensor sharedAs(Shape other) {
    if (other.numel() != shape.numel()) {
      throw new ShapeException(
          "tensor", shape.numel() + " values of " + shape + " do not fill " + other);
    }
    return new Tensor(other, heap(), false, null);
  }

  /// Converts the values to another type by Java's rules; as a boolean, any value but 0 is true,
  /// even NaN. Returns this tensor if it already has the type. The gradient is converted back.
  public Tensor to(DType type) {
    return TypeOps.to(this, type);
  }

  /// Returns the gradient that [#backward] accumulated for a leaf, or for a tensor that
  /// [retains][#retainGrad] its gradient; null before the first pass and after [#zeroGrad].
  public synchronized @Nullable Tensor grad() {
    return grad;
  }

  /// Clears the gradient.
  public synchronized void zeroGrad() {
    grad = null;
  }

  /// Replaces the accumulated gradient; null clears it. Like torch's `parameter.grad = gradient`.
  ///
  /// @throws ShapeException if the gradient's shape or type differs from this tensor's
  public synchronized void setGrad(@Nullable Tensor gradient) {
    if (gradient != null && (!gradient.shape.equals(shape) || gradient.dtype() != dtype())) {
      throw new ShapeException(
          "setGrad",
          "gradient %s %s does not fit %s %s"
              .formatted(gradient.dtype(), gradient.shape, dtype(), shape));
    }
    grad = gradient == null ? null : gradient.detach();
  }

  /// Replaces the float32 values of this leaf with a new version that is computed from the current
  /// one. Concurrent updates run one after another; readers of the old version keep it.
  ///
  /// @param next returns a new array of the same length, or its argument for no change
  public void update(UnaryOperator<float[]> next) {
    replace(present -> of(shape, next.apply(present.values())));
  }

  /// Replaces the values of this leaf, whatever their type, with a new version.
  ///
  /// @param next returns a tensor of the same shape and type, or its argument for no change
  public synchronized void replace(UnaryOperator<Tensor> next) {
    requireLeaf("update");
    Tensor updated = next.apply(detach());
    if (!updated.shape.equals(shape) || updated.dtype() != dtype()) {
      throw new ShapeException(
          "update",
          "%s %s cannot replace %s %s".formatted(updated.dtype(), updated.shape, dtype(), shape));
    }
    storage = updated.storage;
  }

  /// Converts the values and gradient of this leaf to another type, in place. Earlier results keep
  /// the old values. Do not call it while other threads compute with this leaf. Like torch's
  /// `parameter.data = parameter.data.to(dtype)`.
  ///
  /// @throws IllegalArgumentException if the type has no gradients and this tensor requires one
  public synchronized void convertTo(DType type) {
    requireLeaf("convertTo");
    requireFloatingIf(requiresGrad, type);
    Storage converted = detach().to(type).storage;
    grad = grad == null ? null : grad.to(type);
    storage = converted;
  }

  private void requireLeaf(String operation) {
    if (origin != null) {
      throw new IllegalStateException(
          operation
              + ": "
              + origin.node()
              + " computed this tensor; only the values of a leaf can be replaced");
    }
  }

  /// Returns the destination of this tensor's gradient, or [Edge#NONE] if it requires none.
  public synchronized Edge gradientEdge() {
    if (!requiresGrad) {
      return Edge.NONE;
    }
    return origin != null ? origin : new Edge(leaf(), 0);
  }

  /// Returns the graph node of this leaf, even while it is [frozen][#requiresGrad(boolean)].
  ///
  /// @throws IllegalStateException if this tensor is the result of a recorded operation
  public synchronized Leaf leaf() {
    if (origin != null) {
      throw new IllegalStateException(
          "leaf: %s computed this tensor; pass the tensors it was computed from"
              .formatted(origin.node()));
    }
    if (leaf == null) {
      leaf = new Leaf(this, this::accumulate);
    }
    return leaf;
  }

  /// Computes the gradient of this scalar with respect to every leaf that it depends on, and adds
  /// it to the leaf's [#grad]. Like `torch.Tensor.backward`. See [Backward] for options.
  public void backward() {
    Backward.from(this).run();
  }

  /// Registers a function that each backward pass calls with the complete gradient of this tensor,
  /// on the thread of the pass. The function's result, which may be its argument, replaces the
  /// gradient.
  ///
  /// @throws IllegalStateException if this tensor requires no gradient
  public Node.Hook registerHook(UnaryOperator<Tensor> function) {
    Edge edge = gradientEdge();
    if (edge.node() == null) {
      throw new IllegalStateException("registerHook: this tensor requires no gradient");
    }
    return edge.node().register(edge.output(), function, true);
  }

  /// Makes each backward pass add the complete gradient of this non-leaf tensor to its [#grad],
  /// after calling the hooks that were registered earlier. A distributed pass does so on the worker
  /// of this tensor. Has no effect on a leaf or when called again. Like `torch.Tensor.retain_grad`.
  ///
  /// @throws IllegalStateException if this tensor requires no gradient
  public synchronized void retainGrad() {
    Edge edge = gradientEdge();
    if (edge.node() == null) {
      throw new IllegalStateException("retainGrad: this tensor requires no gradient");
    }
    if (origin != null && !retainsGrad) {
      retainsGrad = true;
      edge.node().register(edge.output(), this::retained, false);
    }
  }

  private Tensor retained(Tensor gradient) {
    accumulate(gradient);
    return gradient;
  }

  private synchronized void accumulate(Tensor gradient) {
    grad = grad == null ? gradient : grad.add(gradient);
  }

  // Operations, in order of increasing complexity.

  /// Multiplies every value by `factor`.
  public Tensor scale(double factor) {
    return ArithmeticOps.scale(this, factor);
  }

  /// Negates every value.
  public Tensor neg() {
    return ArithmeticOps.scale(this, -1);
  }

  /// Adds elementwise. This and all other elementwise operations on two tensors broadcast by
  /// numpy's rule: axes are matched from the last one, and an axis that is missing or has size 1 is
  /// repeated. A `[k]` bias is added to each row of `[n, k]`, a scalar to all values.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor add(Tensor other) {
    return ArithmeticOps.add(this, other);
  }

  /// Subtracts elementwise.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor sub(Tensor other) {
    return ArithmeticOps.sub(this, other);
  }

  /// Multiplies elementwise.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor mul(Tensor other) {
    return ArithmeticOps.mul(this, other);
  }

  /// Divides elementwise.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor div(Tensor other) {
    return ArithmeticOps.div(this, other);
  }

  /// Adds a number to every value. Like torch's `x + 2`; [#scale] is `x * 2`. Operations on
  /// numbers have separate names because a remote method cannot be overloaded.
  public Tensor addScalar(double term) {
    return ArithmeticOps.addScalar(this, term);
  }

  /// Subtracts a number from every value. Like torch's `x - 2`.
  public Tensor subScalar(double term) {
    return ArithmeticOps.addScalar(this, -term);
  }

  /// Subtracts every value from a number. Like torch's `2 - x`, which is `torch.rsub(x, 2)`.
  public Tensor rsubScalar(double number) {
    return ArithmeticOps.rsubScalar(this, number);
  }

  /// Divides every value by a number (a true division, not a product with the reciprocal). Like
  /// torch's `x / 2`.
  public Tensor divScalar(double divisor) {
    return ArithmeticOps.divScalar(this, divisor);
  }

  /// Returns `|x|` elementwise; the derivative at 0 is 0.
  public Tensor abs() {
    return UnaryOps.map("abs", UnaryFunctions.ABS, this);
  }

  /// Returns -1, 0 or 1 elementwise; 0 for NaN. The derivative is 0.
  public Tensor sign() {
    return UnaryOps.map("sign", UnaryFunctions.SIGN, this);
  }

  /// Rounds down elementwise. The derivative is 0.
  public Tensor floor() {
    return UnaryOps.map("floor", UnaryFunctions.FLOOR, this);
  }

  /// Rounds up elementwise. The derivative is 0.
  public Tensor ceil() {
    return UnaryOps.map("ceil", UnaryFunctions.CEIL, this);
  }

  /// Rounds to the nearest integer elementwise, half to even. The derivative is 0.
  public Tensor round() {
    return UnaryOps.map("round", UnaryFunctions.ROUND, this);
  }

  /// Returns `1 / x` elementwise.
  public Tensor reciprocal() {
    return UnaryOps.map("reciprocal", UnaryFunctions.RECIPROCAL, this);
  }

  /// Returns the square root elementwise; NaN for negative values.
  public Tensor sqrt() {
    return UnaryOps.map("sqrt", UnaryFunctions.SQRT, this);
  }

  /// Returns the square elementwise.
  public Tensor square() {
    return ArithmeticOps.mul(this, this);
  }

  /// Returns `x` to the power of `exponent` elementwise.
  public Tensor pow(double exponent) {
    return UnaryOps.pow(this, exponent);
  }

  /// Returns `e` to the power of `x` elementwise.
  public Tensor exp() {
    return UnaryOps.map("exp", UnaryFunctions.EXP, this);
  }

  /// Returns the natural logarithm elementwise; NaN for negative values.
  public Tensor log() {
    return UnaryOps.map("log", UnaryFunctions.LOG, this);
  }

  /// Returns the sine of angles in radians, elementwise; NaN for infinities.
  public Tensor sin() {
    return UnaryOps.map("sin", UnaryFunctions.SIN, this);
  }

  /// Returns the cosine of angles in radians, elementwise; NaN for infinities.
  public Tensor cos() {
    return UnaryOps.map("cos", UnaryFunctions.COS, this);
  }

  /// Returns the tangent of angles in radians, elementwise; NaN for infinities.
  public Tensor tan() {
    return UnaryOps.map("tan", UnaryFunctions.TAN, this);
  }

  /// Returns the arcsine in radians, elementwise; NaN outside `[-1, 1]`.
  public Tensor asin() {
    return UnaryOps.map("asin", UnaryFunctions.ASIN, this);
  }

  /// Returns the arccosine in radians, elementwise; NaN outside `[-1, 1]`.
  public Tensor acos() {
    return UnaryOps.map("acos", UnaryFunctions.ACOS, this);
  }

  /// Returns the arctangent in radians, elementwise.
  public Tensor atan() {
    return UnaryOps.map("atan", UnaryFunctions.ATAN, this);
  }

  /// Returns the hyperbolic sine elementwise.
  public Tensor sinh() {
    return UnaryOps.map("sinh", UnaryFunctions.SINH, this);
  }

  /// Returns the hyperbolic cosine elementwise.
  public Tensor cosh() {
    return UnaryOps.map("cosh", UnaryFunctions.COSH, this);
  }

  /// Clamps values to `[min, max]` elementwise; the derivative at a bound is 1. If `min` is larger
  /// than `max`, all values become `max`, as in torch.
  ///
  /// @throws IllegalArgumentException if a bound is NaN
  public Tensor clamp(double min, double max) {
    return UnaryOps.clamp(this, min, max);
  }

  /// Returns `max(x, 0)` elementwise; the derivative at 0 is 0.
  public Tensor relu() {
    return UnaryOps.map("relu", UnaryFunctions.RELU, this);
  }

  /// Returns `x` where it is positive and `negativeSlope * x` elsewhere. Like
  /// `torch.nn.functional.leaky_relu`.
  public Tensor leakyRelu(double negativeSlope) {
    return UnaryOps.leakyRelu(this, negativeSlope);
  }

  /// Returns `1 / (1 + exp(-x))` elementwise.
  public Tensor sigmoid() {
    return UnaryOps.map("sigmoid", UnaryFunctions.SIGMOID, this);
  }

  /// Returns the hyperbolic tangent elementwise.
  public Tensor tanh() {
    return UnaryOps.map("tanh", UnaryFunctions.TANH, this);
  }

  /// Returns `x * sigmoid(x)` elementwise. Like `torch.nn.functional.silu`.
  public Tensor silu() {
    return UnaryOps.map("silu", UnaryFunctions.SILU, this);
  }

  /// Returns `log(1 + exp(x))` elementwise, or `x` itself where it is above 20. Like
  /// `torch.nn.functional.softplus`.
  public Tensor softplus() {
    return UnaryOps.map("softplus", UnaryFunctions.SOFTPLUS, this);
  }

  /// Returns `x * P(X < x)` for a standard normal `X`, elementwise. Like
  /// `torch.nn.functional.gelu`.
  public Tensor gelu() {
    return UnaryOps.map("gelu", UnaryFunctions.GELU, this);
  }

  /// Returns the tanh approximation of [#gelu]. Like torch's `approximate="tanh"`.
  public Tensor geluTanh() {
    return UnaryOps.map("geluTanh", UnaryFunctions.GELU_TANH, this);
  }

  /// Returns a mask that is true where this tensor is less than `other`. Comparisons with NaN are
  /// false. Like all masks, it has no gradient.
  public Tensor lt(Tensor other) {
    return ComparisonOps.lt(this, other);
  }

  /// Returns a mask that is true where this tensor is less than a number. As in torch, the number
  /// is rounded to the type of floating-point values; integers are compared with the exact number.
  /// A remote call compares with a scalar tensor instead.
  ///
  /// @throws IllegalArgumentException if this tensor holds integers and the number is beyond 2^53,
  ///     where a double has no digit for ones; compare with a scalar tensor
  public Tensor lt(double number) {
    return lt(ComparisonOps.number("lt", this, number));
  }

  /// Returns a mask that is true where this tensor is less than or equal to `other`.
  public Tensor le(Tensor other) {
    return ComparisonOps.le(this, other);
  }

  /// Returns a mask that is true where this tensor is less than or equal to a number; see
  /// [#lt(double)].
  public Tensor le(double number) {
    return le(ComparisonOps.number("le", this, number));
  }

  /// Returns a mask that is true where this tensor is greater than `other`.
  public Tensor gt(Tensor other) {
    return ComparisonOps.gt(this, other);
  }

  /// Returns a mask that is true where this tensor is greater than a number; see [#lt(double)].
  public Tensor gt(double number) {
    return gt(ComparisonOps.number("gt", this, number));
  }

  /// Returns a mask that is true where this tensor is greater than or equal to `other`.
  public Tensor ge(Tensor other) {
    return ComparisonOps.ge(this, other);
  }

  /// Returns a mask that is true where this tensor is greater than or equal to a number; see
  /// [#lt(double)].
  public Tensor ge(double number) {
    return ge(ComparisonOps.number("ge", this, number));
  }

  /// Returns a mask that is true where the values are equal. NaN equals nothing.
  public Tensor eq(Tensor other) {
    return ComparisonOps.eq(this, other);
  }

  /// Returns a mask that is true where the values are equal to a number; see [#lt(double)].
  public Tensor eq(double number) {
    return eq(ComparisonOps.number("eq", this, number));
  }

  /// Returns a mask that is true where the values are not equal.
  public Tensor ne(Tensor other) {
    return ComparisonOps.ne(this, other);
  }

  /// Returns a mask that is true where the values are not equal to a number; see [#lt(double)].
  public Tensor ne(double number) {
    return ne(ComparisonOps.number("ne", this, number));
  }

  /// Returns the negation of this mask.
  public Tensor not() {
    return ComparisonOps.not(this);
  }

  /// Returns a mask that is true where both masks are true.
  public Tensor and(Tensor other) {
    return ComparisonOps.and(this, other);
  }

  /// Returns a mask that is true where at least one mask is true.
  public Tensor or(Tensor other) {
    return ComparisonOps.or(this, other);
  }

  /// Selects values of this tensor where the mask is true, and values of `other` elsewhere.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor where(Tensor mask, Tensor other) {
    return ComparisonOps.where(mask, this, other);
  }

  /// Replaces values with `value` where the mask is true. Like `torch.Tensor.masked_fill`.
  public Tensor maskedFill(Tensor mask, double value) {
    return ComparisonOps.where(mask, full(Shape.SCALAR, dtype(), value), this);
  }

  /// Returns the values where the mask is true, in row-major order: `[n]`. The mask and this tensor
  /// broadcast. Like `torch.masked_select`, and `x[mask]` for a mask of the same shape;
  /// [#indexSelect] takes whole rows by a mask.
  ///
  /// @throws ShapeException if the shapes cannot be broadcast
  public Tensor maskedSelect(Tensor mask) {
    return IndexOps.maskedSelect(this, mask);
  }

  /// Returns the larger of two values elementwise, or NaN if one of them is NaN. Equal values each
  /// get half of the gradient.
  public Tensor maximum(Tensor other) {
    return ComparisonOps.maximum(this, other);
  }

  /// Returns the smaller of two values elementwise, or NaN if one of them is NaN. Equal values each
  /// get half of the gradient.
  public Tensor minimum(Tensor other) {
    return ComparisonOps.minimum(this, other);
  }

  /// Returns a view of the values with another shape. One size may be -1 and is inferred from the
  /// others.
  ///
  /// @throws ShapeException if the number of values would change
  public Tensor reshape(int... sizes) {
    return ShapeOps.reshape(this, sizes);
  }

  /// Merges `startAxis` and all later axes: for axis 1, `[n, c, h, w]` becomes `[n, c * h * w]`.
  /// Shares the values.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor flatten(int startAxis) {
    return ShapeOps.flatten(this, startAxis);
  }

  /// Inserts an axis of size 1 at the given index. Shares the values.
  ///
  /// @throws ShapeException if the index is out of range
  public Tensor unsqueeze(int axis) {
    return ShapeOps.unsqueeze(this, axis);
  }

  /// Removes an axis of size 1. Shares the values.
  ///
  /// @throws ShapeException if there is no such axis or its size is not 1
  public Tensor squeeze(int axis) {
    return ShapeOps.squeeze(this, axis);
  }

  /// Swaps two axes.
  ///
  /// @throws ShapeException if one of the axes does not exist
  public Tensor transpose(int first, int second) {
    return ShapeOps.transpose(this, first, second);
  }

  /// Reorders the axes: axis `i` of the result is axis `axes[i]`.
  ///
  /// @throws ShapeException if the arguments are not a permutation of the axes
  public Tensor permute(int... axes) {
    return ShapeOps.permute(this, axes);
  }

  /// Repeats axes of size 1, and missing leading axes, to get the given sizes.
  ///
  /// @throws ShapeException if an axis whose size is not 1 would have to change
  public Tensor expand(int... sizes) {
    return ShapeOps.expand(this, sizes);
  }

  /// Returns the part of an axis from index `start` (inclusive) to `end` (exclusive).
  ///
  /// @throws ShapeException if the range is not within the axis
  public Tensor slice(int axis, int start, int end) {
    return SliceOps.slice(this, axis, start, end);
  }

  /// Returns the values at one index of an axis and removes the axis. A negative index counts from
  /// the end.
  ///
  /// @throws ShapeException if there is no such index
  public Tensor select(int axis, int index) {
    return SliceOps.select(this, axis, index);
  }

  /// Reverses the given axes.
  ///
  /// @throws ShapeException if an axis does not exist or is given twice
  public Tensor flip(int... axes) {
    return SliceOps.flip(this, axes);
  }

  /// Shifts the values along an axis by `shift`; values that are shifted out reappear at the other
  /// end. A negative shift goes towards the start.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor roll(int shift, int axis) {
    return SliceOps.roll(this, shift, axis);
  }

  /// Splits an axis into parts of the given size; the last part may be smaller.
  ///
  /// @throws ShapeException if there is no such axis or the size is not positive
  public List<Tensor> split(int size, int axis) {
    return SliceOps.split(this, size, axis);
  }

  /// Concatenates tensors along an axis. Like `torch.cat`.
  ///
  /// @throws ShapeException if the sizes of any other axis differ
  public static Tensor concatenate(List<Tensor> parts, int axis) {
    return SliceOps.concatenate(parts, axis);
  }

  /// Stacks tensors of equal shape along a new axis.
  ///
  /// @throws ShapeException if their shapes differ
  public static Tensor stack(List<Tensor> parts, int axis) {
    return SliceOps.stack(parts, axis);
  }

  /// Expands one-axis tensors to a common grid: `[m]` and `[n]` become two `[m, n]` tensors, which
  /// vary along axis 0 and axis 1, respectively. Like `torch.meshgrid` with `indexing="ij"`.
  ///
  /// @throws ShapeException if a tensor has more than one axis
  public static List<Tensor> meshgrid(List<Tensor> axes) {
    return ShapeOps.meshgrid(axes);
  }

  /// Pads an axis with `before` copies of a value at the start and `after` copies at the end.
  ///
  /// @throws ShapeException if there is no such axis or a count is negative
  public Tensor pad(int axis, int before, int after, double value) {
    return SliceOps.pad(this, axis, before, after, value);
  }

  /// Selects entries of an axis by a one-axis int64 index, in the order of the index, or by a
  /// one-axis mask: `x.indexSelect(0, mask)` takes the rows where the mask is true, as torch's
  /// `x[mask]` does.
  ///
  /// @throws ShapeException if the index does not have one axis, or a mask's size is not the axis's
  /// @throws IllegalArgumentException if an index is out of range
  public Tensor indexSelect(int axis, Tensor index) {
    return IndexOps.indexSelect(this, axis, index);
  }

  /// Gathers values along an axis: `y[i, j] = x[i, index[i, j]]` for axis 1. Like `torch.gather`.
  ///
  /// @throws ShapeException if the shape of the index is incompatible
  /// @throws IllegalArgumentException if an index is out of range
  public Tensor gather(int axis, Tensor index) {
    return IndexOps.gather(this, axis, index);
  }

  /// Adds values where [#gather] would read: `y[i, index[i, j]] += values[i, j]` for axis 1.
  /// Returns a new tensor. Like `torch.scatter_add`.
  ///
  /// @throws ShapeException if the shape of the index or of the values is incompatible
  /// @throws IllegalArgumentException if an index is out of range
  public Tensor scatterAdd(int axis, Tensor index, Tensor values) {
    return IndexOps.scatterAdd(this, axis, index, values);
  }

  /// Sorted values along an axis, with their indices before sorting.
  ///
  /// @param values the sorted values
  /// @param indices the int64 indices that the values had on the axis
  public record Sorted(Tensor values, Tensor indices) {}

  /// Sorts along an axis. The sort is stable; NaN is larger than any number. Works with values of
  /// any type.
  ///
  /// @throws ShapeException if there is no such axis
  public Sorted sort(int axis, boolean descending) {
    return IndexOps.sort(this, axis, descending);
  }

  /// Returns only the int64 indices that [#sort] would return.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor argsort(int axis, boolean descending) {
    return IndexOps.argsort(this, axis, descending);
  }

  /// Returns the `k` largest values along an axis, the largest first, or the `k` smallest, the
  /// smallest first.
  ///
  /// @throws ShapeException if there is no such axis or it has fewer than `k` values
  public Sorted topk(int k, int axis, boolean largest) {
    return IndexOps.topk(this, k, axis, largest);
  }

  /// The distinct values of a tensor, sorted.
  ///
  /// @param values the distinct values, `[n]`; each NaN counts as distinct
  /// @param inverse for each value of the tensor, its int64 index in `values`; has the tensor's
  ///     shape
  /// @param counts for each of `values`, the int64 number of its occurrences
  public record Unique(Tensor values, Tensor inverse, Tensor counts) {}

  /// Finds the distinct values; works with any type. As in torch, they have no gradient.
  public Unique unique() {
    return IndexOps.unique(this);
  }

  /// Returns cumulative sums along an axis: `y[i] = x[0] + … + x[i]`, accumulated in float64. For
  /// integers and masks the result is int64.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor cumsum(int axis) {
    return ScanOps.cumsum(this, axis);
  }

  /// Returns cumulative products along an axis: `y[i] = x[0] * … * x[i]`, accumulated in float64.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor cumprod(int axis) {
    return ScanOps.cumprod(this, axis);
  }

  /// Sums along the given axes, or all values without axes. For integers the result is int64; for
  /// a mask it is the int64 number of true values.
  ///
  /// This and all other reductions take any number of axes, of which negative ones count from the
  /// end, and remove them from the result. To keep an axis with size 1, as torch's `keepdim=True`
  /// does, insert it again: `x.sum(1).unsqueeze(1)`.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor sum(int... axes) {
    return ReductionOps.sum(this, axes);
  }

  /// Returns the means along the given axes, or of all values.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor mean(int... axes) {
    return ReductionOps.mean(this, axes);
  }

  /// Returns the variances along the given axes, or of all values, with torch's default correction
  /// of 1: the sums of squared deviations, divided by the number of values minus 1.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor var(int... axes) {
    return ReductionOps.var(this, 1, axes);
  }

  /// Returns variances as [#var] does, with another correction; 0 divides by the number of values.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor varWithCorrection(int correction, int... axes) {
    return ReductionOps.var(this, correction, axes);
  }

  /// Returns the standard deviations along the given axes, or of all values: the square roots of
  /// [#var]. The gradient is 0 where all values are equal.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor std(int... axes) {
    return ReductionOps.std(this, 1, axes);
  }

  /// Returns the square roots of [#varWithCorrection]. The gradient is 0 if all values are equal.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor stdWithCorrection(int correction, int... axes) {
    return ReductionOps.std(this, correction, axes);
  }

  /// Returns the Euclidean norm of all values, a scalar. The gradient at zero is 0.
  public Tensor norm() {
    return NormOps.vectorNorm(this, 2);
  }

  /// Returns the norms along the given axes, or of all values: the sum of `|x|^order`, to the power
  /// `1 / order`; for an infinite order, the maximum of `|x|`. The gradient at zero is 0. Like
  /// `torch.linalg.vector_norm`.
  ///
  /// @throws ShapeException if there is no such axis
  /// @throws IllegalArgumentException if the order is not positive
  public Tensor vectorNorm(double order, int... axes) {
    return NormOps.vectorNorm(this, order, axes);
  }

  /// Returns `log(sum(exp(x)))` along the given axes, or of all values, without overflow.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor logsumexp(int... axes) {
    return NormOps.logsumexp(this, axes);
  }

  /// Returns the maxima along the given axes, or of all values; NaN is larger than any number. The
  /// gradient goes to the first of equal maxima. [#argmax] returns the indices. Like `torch.amax`.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor max(int... axes) {
    return ReductionOps.max(this, axes);
  }

  /// Returns the minima along the given axes, or of all values; NaN is smaller than any number. The
  /// gradient goes to the first of equal minima. Like `torch.amin`.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor min(int... axes) {
    return ReductionOps.min(this, axes);
  }

  /// Returns the int64 index of the maximum along an axis, the first if several are equal; NaN is
  /// larger than any number. `[n, k]` along axis 1 gives `[n]`.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor argmax(int axis) {
    return ReductionOps.argmax(this, axis);
  }

  /// Returns the int64 index of the minimum along an axis, the first if several are equal.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public Tensor argmin(int axis) {
    return ReductionOps.argmax(detach().neg(), axis);
  }

  /// Returns `exp(x) / sum(exp(x))` along an axis, without overflow.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor softmax(int axis) {
    return ReductionOps.softmax(this, axis);
  }

  /// Returns `log(exp(x) / sum(exp(x)))` along an axis, without overflow.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor logSoftmax(int axis) {
    return ReductionOps.logSoftmax(this, axis);
  }

  /// Zeroes each value with the given probability and scales the rest by `1 / (1 - probability)`.
  /// Equally seeded generators give equal results. If the probability is 0, returns this tensor and
  /// draws no random numbers.
  ///
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public Tensor dropout(float probability, RandomGenerator random) {
    return RandomOps.dropout(this, probability, random);
  }

  /// Applies [#dropout] to whole channels of `[n, c, h, w]`. Like `torch.nn.functional.dropout2d`.
  ///
  /// @throws ShapeException if there are not four axes
  public Tensor dropout2d(float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout2d", 4, this, probability, random);
  }

  /// Multiplies `[m, k]` by `[k, n]`, giving `[m, n]`. Leading axes are batch axes and are
  /// broadcast by numpy's rule. A one-axis tensor is a row on the left and a column on the right.
  ///
  /// @throws ShapeException if the inner sizes differ or the batch axes cannot be broadcast
  public Tensor matmul(Tensor other) {
    return MatrixOps.matmul(this, other);
  }

  /// Sums products according to Einstein notation: `ij,jk->ik` multiplies matrices, `ii->i` takes a
  /// diagonal, `bij->b` sums. Axes that are missing from the result are summed; `...` stands for
  /// broadcast axes. Without `->`, the result has the letters that occur once, in alphabetical
  /// order. Operands are multiplied from left to right.
  ///
  /// @throws IllegalArgumentException if the number of terms is not the number of operands, or the
  ///     equation contains invalid characters
  /// @throws ShapeException if a letter stands for different sizes
  public static Tensor einsum(String equation, Tensor... operands) {
    return MatrixOps.einsum(equation, operands);
  }

  /// Returns the outer product of `[m]` and `[n]`: `[m, n]`.
  ///
  /// @throws ShapeException if a tensor does not have one axis
  public Tensor outer(Tensor other) {
    return MatrixOps.outer(this, other);
  }

  /// Returns a diagonal of a matrix, counted upwards from the main diagonal (negative: downwards).
  /// For `[n]`, returns the matrix with these values on that diagonal and zeros elsewhere.
  ///
  /// @throws ShapeException if there are not one or two axes, or the matrix has no such diagonal
  public Tensor diag(int diagonal) {
    return MatrixOps.diag(this, diagonal);
  }

  /// Returns the sum of a matrix's main diagonal, a scalar.
  ///
  /// @throws ShapeException if there are not two axes
  public Tensor trace() {
    return MatrixOps.trace(this);
  }

  /// Zeroes the values above a diagonal of the last two axes; `diagonal` counts upwards from the
  /// main one.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public Tensor tril(int diagonal) {
    return MatrixOps.tril(this, diagonal);
  }

  /// Zeroes the values below a diagonal of the last two axes; `diagonal` counts upwards from the
  /// main one.
  ///
  /// @throws ShapeException if there are fewer than two axes
  public Tensor triu(int diagonal) {
    return MatrixOps.triu(this, diagonal);
  }

  /// Returns `x · weightᵀ + bias`: `[n, in]` with weight `[out, in]` and bias `[out]` gives `[n,
  /// out]`. Further leading axes are kept. Like `torch.nn.functional.linear`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public Tensor linear(Tensor weight, Tensor bias) {
    return MatrixOps.linear(this, weight, bias);
  }

  /// Returns the maxima of non-overlapping windows of `window` by `window`: `[n, c, h, w]` gives
  /// `[n, c, h / window, w / window]`, rounded down. Like `torch.nn.functional.max_pool2d`.
  ///
  /// @throws ShapeException if there are not four axes or the window is larger than an image
  public Tensor maxPool2d(int window) {
    return PoolingOps.maxPool2d(this, window);
  }

  /// Convolves images (in fact a cross-correlation), with stride 1 and no padding: `[n, c, h, w]`
  /// with weight `[f, c, u, v]` and bias `[f]` gives `[n, f, h - u + 1, w - v + 1]`. Like
  /// `torch.nn.functional.conv2d`.
  ///
  /// @throws ShapeException if the shapes are incompatible
  public Tensor conv2d(Tensor weight, Tensor bias) {
    return ConvolutionOps.conv2d(this, weight, bias);
  }

  /// Returns the type, the shape and the first values, for display.
  @Override
  public String toString() {
    if (storage instanceof LayoutStorage layout && !layout.isLaidOut() && sparseRows() != null) {
      return layout.layout().toString();
    }
    HeapStorage present = heap();
    String shown =
        IntStream.range(0, Math.min(present.length(), SHOWN))
            .mapToObj(i -> String.valueOf(present.valueAt(i)))
            .collect(Collectors.joining(", "));
    String type = present.dtype() == DType.FLOAT32 ? "" : " " + present.dtype();
    return "Tensor" + shape + type + "[" + shown + (present.length() > SHOWN ? ", …]" : "]");
  }
}
