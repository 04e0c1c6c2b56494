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

/// Values with a shape and a [DType], and where they came from. After `torch.Tensor`.
///
/// Operations return new tensors; values never change under a reader. A leaf, such as a
/// parameter, changes by getting a new version of its values (see [#update]); a graph keeps the
/// versions that it saved, so any number of threads may compute forward and backward while
/// another steps.
///
/// Values lie in row-major order without gaps: an operation that moves values copies them, only
/// [#reshape] and its kin share. Their memory goes with the last tensor that has them. Operations
/// compute in float32 and float64; where types meet, the result has the later of [DType]'s order,
/// as in torch. Shapes are checked here, at the edge; an operation that is given shapes that do not
/// fit throws [ShapeException].
public final class Tensor {
  /// How many values [#toString] writes.
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

  /// Makes a tensor of these values in row-major order, which nobody may change any more.
  ///
  /// @throws ShapeException if they do not fill the shape
  public static Tensor ofStorage(Shape shape, Storage values) {
    if (values.size() != shape.numel()) {
      throw new ShapeException(
          "tensor",
          values.size() + " values do not fill " + shape + ", which holds " + shape.numel());
    }
    return new Tensor(shape, values, false, null);
  }

  /// Wraps float32 values in row-major order. The array now belongs to the tensor: do not write to
  /// it.
  public static Tensor of(Shape shape, float[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps float64 values. The array now belongs to the tensor: do not write to it.
  public static Tensor of(Shape shape, double[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps int64 values. The array now belongs to the tensor: do not write to it.
  public static Tensor of(Shape shape, long[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// Wraps boolean values. The array now belongs to the tensor: do not write to it.
  public static Tensor of(Shape shape, boolean[] values) {
    return ofStorage(shape, HeapStorage.of(values));
  }

  /// A tensor that is zero but for some rows. Its zeros are laid out when somebody asks for them.
  public static Tensor ofRows(SparseRows rows) {
    return ofLayout(rows);
  }

  /// A tensor whose values do not lie in one array. They are laid out when somebody asks for all.
  public static Tensor ofLayout(Layout layout) {
    return new Tensor(layout.shape(), new LayoutStorage(layout), false, null);
  }

  /// The result of a recorded function: these values, whose gradient goes to `origin`. For those
  /// who write functions of their own.
  public static Tensor recorded(Tensor value, Edge origin) {
    Edge known = Objects.requireNonNull(origin);
    return new Tensor(value.shape, value.storage, true, known);
  }

  /// A leaf with these values whose gradient is wanted, such as a layer's parameter. After
  /// `nn.Parameter`.
  public static Tensor parameter(Shape shape, float[] values) {
    return parameterOf(of(shape, values));
  }

  /// A leaf with the present values of a tensor whose gradient is wanted.
  public static Tensor parameterOf(Tensor values) {
    return new Tensor(values.shape, values.heap(), true, null);
  }

  /// Makes a one-axis tensor.
  public static Tensor of(float... values) {
    return of(Shape.of(values.length), values);
  }

  /// Makes a one-axis float64 tensor.
  public static Tensor ofDoubles(double... values) {
    return of(Shape.of(values.length), values);
  }

  /// Makes a one-axis int64 tensor: indices or labels.
  public static Tensor ofLongs(long... values) {
    return of(Shape.of(values.length), values);
  }

  /// Makes a one-axis boolean tensor: a mask.
  public static Tensor ofBooleans(boolean... values) {
    return of(Shape.of(values.length), values);
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
    return ofStorage(shape, HeapStorage.filled(type, shape.elements(), value));
  }

  /// Standard normal values of this shape, which follow from the next long of the generator. Equal
  /// ones give equal bits on every machine. After `torch.randn`.
  public static Tensor randn(RandomGenerator random, int... sizes) {
    return RandomOps.randn(random, Shape.of(sizes));
  }

  /// The sizes of the axes.
  public Shape shape() {
    return shape;
  }

  /// The type of the values.
  public DType dtype() {
    return storage.dtype();
  }

  /// The present version of float32 values, in row-major order: the array itself, not a copy, so
  /// never write to it. It keeps its values for good, whatever happens to the tensor.
  ///
  /// @throws IllegalStateException if the values are of another type
  public float[] values() {
    return requireType("values", DType.FLOAT32).floats();
  }

  /// The present version of float64 values: the array itself, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public double[] doubles() {
    return requireType("doubles", DType.FLOAT64).doubles();
  }

  /// The present version of int64 values: the array itself, never write to it.
  ///
  /// @throws IllegalStateException if the values are of another type
  public long[] longs() {
    return requireType("longs", DType.INT64).longs();
  }

  /// The present version of boolean values: the array itself, never write to it.
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

  /// The present version of the values, wherever they are.
  public Storage storage() {
    return storage;
  }

  /// The present version of the values in one array, whatever their type.
  public HeapStorage heap() {
    return storage.heap();
  }

  /// The present version of the values if they do not lie in one array: a sparse gradient, or a
  /// parameter after a step over some of its rows. Otherwise null.
  public @Nullable Layout layout() {
    return storage instanceof LayoutStorage laidOut ? laidOut.layout() : null;
  }

  /// The rows that are not zero, if this tensor was made [of rows][#ofRows]; otherwise null. An
  /// optimizer that leaves the other rows alone asks for them.
  public @Nullable SparseRows sparseRows() {
    return layout() instanceof SparseRows rows ? rows : null;
  }

  /// The only value of a tensor that holds one, as float32.
  public float item() {
    return (float) itemDouble();
  }

  /// The only value of a tensor that holds one, as float64; true is 1.
  public double itemDouble() {
    if (shape.numel() != 1) {
      throw new ShapeException("item", shape + " holds " + shape.numel() + " values, not one");
    }
    return to(DType.FLOAT64).doubles()[0];
  }

  /// Whether a gradient for this tensor is wanted.
  public boolean requiresGrad() {
    return requiresGrad;
  }

  /// Freezes this leaf, or has its gradient computed again, in passes of results that are computed
  /// from now on. An optimizer leaves a frozen parameter alone. After
  /// `torch.Tensor.requires_grad_`.
  ///
  /// @throws IllegalStateException if others computed this tensor
  /// @throws IllegalArgumentException if a gradient is wanted of values that have none
  public void requiresGrad(boolean wanted) {
    if (origin != null && !wanted) {
      throw new IllegalStateException(
          "requiresGrad: %s computed this tensor; freeze what it was computed from, or detach it"
              .formatted(origin.node()));
    }
    requireFloatingIf(wanted, dtype());
    requiresGrad = wanted;
  }

  /// The name under which layers registered this parameter, such as `conv1.weight`; null if none
  /// did. For messages.
  public @Nullable String name() {
    return name;
  }

  /// Names this tensor in messages.
  public void setName(String name) {
    this.name = Objects.requireNonNull(name);
  }

  /// Whether this tensor was made from values, not computed.
  public boolean isLeaf() {
    return origin == null;
  }

  /// The same values, cut off from the graph.
  public Tensor detach() {
    return new Tensor(shape, storage, false, null);
  }

  /// The same values under another shape, cut off from the graph.
  ///
  /// @throws ShapeException if it holds another number of values
  public Tensor sharedAs(Shape other) {
    if (other.numel() != shape.numel()) {
      throw new ShapeException(
          "tensor", shape.numel() + " values of " + shape + " do not fill " + other);
    }
    return new Tensor(other, heap(), false, null);
  }

  /// The same values in another type, after Java's conversions; NaN is true. This tensor if it
  /// has that type. The gradient comes back converted.
  public Tensor to(DType type) {
    return TypeOps.to(this, type);
  }

  /// The sum of gradients that [#backward] found for a leaf, or for a tensor that
  /// [retains][#retainGrad] its gradient; null before that.
  public synchronized @Nullable Tensor grad() {
    return grad;
  }

  /// Forgets the gradient.
  public synchronized void zeroGrad() {
    grad = null;
  }

  /// Puts another gradient in the place of the sum; null forgets it. After torch's
  /// `parameter.grad = gradient`.
  ///
  /// @throws ShapeException if it is not of this tensor's shape and type
  public synchronized void setGrad(@Nullable Tensor gradient) {
    if (gradient != null && (!gradient.shape.equals(shape) || gradient.dtype() != dtype())) {
      throw new ShapeException(
          "setGrad",
          "gradient %s %s does not fit %s %s"
              .formatted(gradient.dtype(), gradient.shape, dtype(), shape));
    }
    grad = gradient == null ? null : gradient.detach();
  }

  /// Gives this leaf a new version of its float32 values, computed from the present one. Concurrent
  /// updates follow one another; a reader of the old version keeps it.
  ///
  /// @param next returns a new array of the same length, or its argument for no change
  public void update(UnaryOperator<float[]> next) {
    replace(present -> of(shape, next.apply(present.values())));
  }

  /// Gives this leaf a new version of its values, whatever their type.
  ///
  /// @param next returns a tensor of the same shape and type, or its argument for no change
  public synchronized void replace(UnaryOperator<Tensor> next) {
    requireLeaf("update");
    Tensor updated = next.apply(detach());
    if (!updated.shape.equals(shape) || updated.dtype() != dtype()) {
      throw new ShapeException(
          "update",
          "%s %s does not replace %s %s".formatted(updated.dtype(), updated.shape, dtype(), shape));
    }
    storage = updated.storage;
  }

  /// Changes the type of this leaf, its values and its gradient, in place. Earlier results keep the
  /// old values. Do not call it while others compute with this leaf. After torch's
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
          operation + ": " + origin.node() + " computed this tensor; only a leaf gets new values");
    }
  }

  /// Where this tensor's gradient goes; [Edge#NONE] when none is wanted.
  public synchronized Edge gradientEdge() {
    if (!requiresGrad) {
      return Edge.NONE;
    }
    return origin != null ? origin : new Edge(leaf(), 0);
  }

  /// The end of the graph at this leaf, also while it is [frozen][#requiresGrad(boolean)].
  ///
  /// @throws IllegalStateException if others computed this tensor
  public synchronized Leaf leaf() {
    if (origin != null) {
      throw new IllegalStateException(
          "leaf: %s computed this tensor; give what it was computed from".formatted(origin.node()));
    }
    if (leaf == null) {
      leaf = new Leaf(this, this::accumulate);
    }
    return leaf;
  }

  /// Computes the gradient of this scalar with respect to every leaf that it depends on, and adds
  /// each to the leaf's [#grad]. After `torch.Tensor.backward`; [Backward] has more to say.
  public void backward() {
    Backward.from(this).run();
  }

  /// Calls a function with the whole gradient of this tensor in each backward pass, on the thread
  /// that runs it. Its result, which may be its argument, goes on in the gradient's place.
  ///
  /// @throws IllegalStateException if this tensor requires no gradient
  public Node.Hook registerHook(UnaryOperator<Tensor> function) {
    Edge edge = gradientEdge();
    if (edge.node() == null) {
      throw new IllegalStateException("registerHook: this tensor requires no gradient");
    }
    return edge.node().register(edge.output(), function, true);
  }

  /// Has each backward pass add the whole gradient of this tensor, which others computed, to its
  /// [#grad], as hooks that were there before leave it; a pass over several workers does so too, on
  /// the worker of this tensor. Does nothing for a leaf or a second time. After
  /// `torch.Tensor.retain_grad`.
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

  /// Changes every sign.
  public Tensor neg() {
    return ArithmeticOps.scale(this, -1);
  }

  /// Adds elementwise. Here and wherever two tensors are taken value by value, shapes that differ
  /// meet by numpy's rule: axes are matched from the last one on, and one of size 1, or one that
  /// is missing, is repeated. A `[k]` bias goes to each row of `[n, k]`, a scalar to all.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor add(Tensor other) {
    return ArithmeticOps.add(this, other);
  }

  /// Subtracts elementwise.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor sub(Tensor other) {
    return ArithmeticOps.sub(this, other);
  }

  /// Multiplies elementwise.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor mul(Tensor other) {
    return ArithmeticOps.mul(this, other);
  }

  /// Divides elementwise.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor div(Tensor other) {
    return ArithmeticOps.div(this, other);
  }

  /// Adds a number to every value. After torch's `x + 2`; [#scale] is `x * 2`. A remote method has
  /// one signature, so numbers have methods of their own.
  public Tensor addScalar(double term) {
    return ArithmeticOps.addScalar(this, term);
  }

  /// Subtracts a number from every value. After torch's `x - 2`.
  public Tensor subScalar(double term) {
    return ArithmeticOps.addScalar(this, -term);
  }

  /// Subtracts every value from a number. After torch's `2 - x`, which is `torch.rsub(x, 2)`.
  public Tensor rsubScalar(double number) {
    return ArithmeticOps.rsubScalar(this, number);
  }

  /// Divides every value by a number: the quotients, not products by an inverse. After torch's
  /// `x / 2`.
  public Tensor divScalar(double divisor) {
    return ArithmeticOps.divScalar(this, divisor);
  }

  /// `|x|` elementwise; the derivative at 0 is 0.
  public Tensor abs() {
    return UnaryOps.map("abs", UnaryFunctions.ABS, this);
  }

  /// -1, 0 or 1 elementwise; 0 of NaN. The derivative is 0.
  public Tensor sign() {
    return UnaryOps.map("sign", UnaryFunctions.SIGN, this);
  }

  /// The greatest whole number that is not above, elementwise. The derivative is 0.
  public Tensor floor() {
    return UnaryOps.map("floor", UnaryFunctions.FLOOR, this);
  }

  /// The least whole number that is not below, elementwise. The derivative is 0.
  public Tensor ceil() {
    return UnaryOps.map("ceil", UnaryFunctions.CEIL, this);
  }

  /// The nearest whole number elementwise; of two, the even one. The derivative is 0.
  public Tensor round() {
    return UnaryOps.map("round", UnaryFunctions.ROUND, this);
  }

  /// `1 / x` elementwise.
  public Tensor reciprocal() {
    return UnaryOps.map("reciprocal", UnaryFunctions.RECIPROCAL, this);
  }

  /// The square root elementwise; NaN of a negative value.
  public Tensor sqrt() {
    return UnaryOps.map("sqrt", UnaryFunctions.SQRT, this);
  }

  /// `x` to this power elementwise.
  public Tensor pow(double exponent) {
    return UnaryOps.pow(this, exponent);
  }

  /// `e` to the power of `x` elementwise.
  public Tensor exp() {
    return UnaryOps.map("exp", UnaryFunctions.EXP, this);
  }

  /// The natural logarithm elementwise; NaN of a negative value.
  public Tensor log() {
    return UnaryOps.map("log", UnaryFunctions.LOG, this);
  }

  /// The sine of angles in radians, elementwise; NaN of infinities.
  public Tensor sin() {
    return UnaryOps.map("sin", UnaryFunctions.SIN, this);
  }

  /// The cosine of angles in radians, elementwise; NaN of infinities.
  public Tensor cos() {
    return UnaryOps.map("cos", UnaryFunctions.COS, this);
  }

  /// The tangent of angles in radians, elementwise; NaN of infinities.
  public Tensor tan() {
    return UnaryOps.map("tan", UnaryFunctions.TAN, this);
  }

  /// The angle in radians with this sine, elementwise; NaN beyond 1.
  public Tensor asin() {
    return UnaryOps.map("asin", UnaryFunctions.ASIN, this);
  }

  /// The angle in radians with this cosine, elementwise; NaN beyond 1.
  public Tensor acos() {
    return UnaryOps.map("acos", UnaryFunctions.ACOS, this);
  }

  /// The angle in radians with this tangent, elementwise.
  public Tensor atan() {
    return UnaryOps.map("atan", UnaryFunctions.ATAN, this);
  }

  /// The hyperbolic sine elementwise.
  public Tensor sinh() {
    return UnaryOps.map("sinh", UnaryFunctions.SINH, this);
  }

  /// The hyperbolic cosine elementwise.
  public Tensor cosh() {
    return UnaryOps.map("cosh", UnaryFunctions.COSH, this);
  }

  /// The nearest value in `[min, max]` elementwise; at a bound the derivative is 1. If `min` is
  /// above `max`, all values become `max`, as in torch.
  ///
  /// @throws IllegalArgumentException if a bound is NaN
  public Tensor clamp(double min, double max) {
    return UnaryOps.clamp(this, min, max);
  }

  /// `max(x, 0)` elementwise; the derivative at 0 is 0.
  public Tensor relu() {
    return UnaryOps.map("relu", UnaryFunctions.RELU, this);
  }

  /// `x` where positive, elsewhere `negativeSlope * x`. After
  /// `torch.nn.functional.leaky_relu`.
  public Tensor leakyRelu(double negativeSlope) {
    return UnaryOps.leakyRelu(this, negativeSlope);
  }

  /// `1 / (1 + exp(-x))` elementwise.
  public Tensor sigmoid() {
    return UnaryOps.map("sigmoid", UnaryFunctions.SIGMOID, this);
  }

  /// The hyperbolic tangent elementwise.
  public Tensor tanh() {
    return UnaryOps.map("tanh", UnaryFunctions.TANH, this);
  }

  /// `x * sigmoid(x)` elementwise. After `torch.nn.functional.silu`.
  public Tensor silu() {
    return UnaryOps.map("silu", UnaryFunctions.SILU, this);
  }

  /// `log(1 + exp(x))` elementwise; `x` above 20. After `torch.nn.functional.softplus`.
  public Tensor softplus() {
    return UnaryOps.map("softplus", UnaryFunctions.SOFTPLUS, this);
  }

  /// `x * P(X < x)` for a standard normal `X`, elementwise. After `torch.nn.functional.gelu`.
  public Tensor gelu() {
    return UnaryOps.map("gelu", UnaryFunctions.GELU, this);
  }

  /// The approximation of [#gelu] by a tangent: torch's `approximate="tanh"`.
  public Tensor geluTanh() {
    return UnaryOps.map("geluTanh", UnaryFunctions.GELU_TANH, this);
  }

  /// A mask of where this is less than `other`. NaN is not. Like all masks, it has no gradient.
  public Tensor lt(Tensor other) {
    return ComparisonOps.lt(this, other);
  }

  /// A mask of where this is less than or equal to `other`.
  public Tensor le(Tensor other) {
    return ComparisonOps.le(this, other);
  }

  /// A mask of where this is greater than `other`.
  public Tensor gt(Tensor other) {
    return ComparisonOps.gt(this, other);
  }

  /// A mask of where this is greater than or equal to `other`.
  public Tensor ge(Tensor other) {
    return ComparisonOps.ge(this, other);
  }

  /// A mask of where the values are equal. NaN equals nothing.
  public Tensor eq(Tensor other) {
    return ComparisonOps.eq(this, other);
  }

  /// A mask of where the values are not equal.
  public Tensor ne(Tensor other) {
    return ComparisonOps.ne(this, other);
  }

  /// The opposite of this mask.
  public Tensor not() {
    return ComparisonOps.not(this);
  }

  /// A mask of where both masks are true.
  public Tensor and(Tensor other) {
    return ComparisonOps.and(this, other);
  }

  /// A mask of where one of the masks is true.
  public Tensor or(Tensor other) {
    return ComparisonOps.or(this, other);
  }

  /// This where the mask is true, else `other`.
  ///
  /// @throws ShapeException if the shapes do not fit
  public Tensor where(Tensor mask, Tensor other) {
    return ComparisonOps.where(mask, this, other);
  }

  /// This with `value` where the mask is true. After `torch.Tensor.masked_fill`.
  public Tensor maskedFill(Tensor mask, double value) {
    return ComparisonOps.where(mask, full(Shape.SCALAR, dtype(), value), this);
  }

  /// The greater of two values elementwise; NaN if one is. Equal values get half of the gradient
  /// each.
  public Tensor maximum(Tensor other) {
    return ComparisonOps.maximum(this, other);
  }

  /// The smaller of two values elementwise; NaN if one is. Equal values get half of the gradient
  /// each.
  public Tensor minimum(Tensor other) {
    return ComparisonOps.minimum(this, other);
  }

  /// The same values under other sizes. One of them may be -1; it follows from the others. Shares
  /// the values.
  ///
  /// @throws ShapeException if the number of values would change
  public Tensor reshape(int... sizes) {
    return ShapeOps.reshape(this, sizes);
  }

  /// Makes one axis of `startAxis` and all after it: `[n, c, h, w]` from axis 1 is `[n, c * h *
  /// w]`. Shares the values.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor flatten(int startAxis) {
    return ShapeOps.flatten(this, startAxis);
  }

  /// The same values with a new axis of size 1 at this place. Shares the values.
  ///
  /// @throws ShapeException if there is no such place
  public Tensor unsqueeze(int axis) {
    return ShapeOps.unsqueeze(this, axis);
  }

  /// The same values without this axis of size 1. Shares the values.
  ///
  /// @throws ShapeException if there is no such axis or it has another size
  public Tensor squeeze(int axis) {
    return ShapeOps.squeeze(this, axis);
  }

  /// Exchanges two axes.
  ///
  /// @throws ShapeException if there are no such axes
  public Tensor transpose(int first, int second) {
    return ShapeOps.transpose(this, first, second);
  }

  /// Puts the axes in another order: axis `i` was axis `axes[i]`.
  ///
  /// @throws ShapeException if not every axis is named once
  public Tensor permute(int... axes) {
    return ShapeOps.permute(this, axes);
  }

  /// Repeats axes of size 1, and ones that are missing in front, to fill these sizes.
  ///
  /// @throws ShapeException if another size differs
  public Tensor expand(int... sizes) {
    return ShapeOps.expand(this, sizes);
  }

  /// The part from index `start` to `end` of an axis, without `end`.
  ///
  /// @throws ShapeException if that is not within the axis
  public Tensor slice(int axis, int start, int end) {
    return SliceOps.slice(this, axis, start, end);
  }

  /// The values at one index of an axis, which the result lacks; negative ones count from the end.
  ///
  /// @throws ShapeException if there is no such index
  public Tensor select(int axis, int index) {
    return SliceOps.select(this, axis, index);
  }

  /// These axes from their ends to their starts.
  ///
  /// @throws ShapeException if there is no such axis or one is named twice
  public Tensor flip(int... axes) {
    return SliceOps.flip(this, axes);
  }

  /// An axis with each value so many places further on; the last ones come first again. A negative
  /// number goes the other way.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor roll(int shift, int axis) {
    return SliceOps.roll(this, shift, axis);
  }

  /// Cuts an axis into parts of this size; the last one has the rest.
  ///
  /// @throws ShapeException if there is no such axis or the size is not positive
  public List<Tensor> split(int size, int axis) {
    return SliceOps.split(this, size, axis);
  }

  /// Lays tensors end to end along an axis. After `torch.cat`.
  ///
  /// @throws ShapeException if they differ on another axis
  public static Tensor concatenate(List<Tensor> parts, int axis) {
    return SliceOps.concatenate(parts, axis);
  }

  /// Lays tensors of one shape side by side along a new axis.
  ///
  /// @throws ShapeException if their shapes differ
  public static Tensor stack(List<Tensor> parts, int axis) {
    return SliceOps.stack(parts, axis);
  }

  /// Expands tensors of one axis to a grid of all of them: of `[m]` and `[n]` two `[m, n]`, of
  /// which the first has its values down the rows. After `torch.meshgrid` with `indexing="ij"`.
  ///
  /// @throws ShapeException if one has more axes than one
  public static List<Tensor> meshgrid(List<Tensor> axes) {
    return ShapeOps.meshgrid(axes);
  }

  /// Puts so many values before and after those of an axis.
  ///
  /// @throws ShapeException if there is no such axis or a number is negative
  public Tensor pad(int axis, int before, int after, double value) {
    return SliceOps.pad(this, axis, before, after, value);
  }

  /// The parts with these indices on an axis, in their order; int64 index of one axis. The
  /// gradient of few rows, parts of axis 0, is [sparse][#sparseRows].
  ///
  /// @throws ShapeException if the index has not one axis
  /// @throws IllegalArgumentException if an index is not on the axis
  public Tensor indexSelect(int axis, Tensor index) {
    return IndexOps.indexSelect(this, axis, index);
  }

  /// Picks along an axis: `y[i, j] = x[i, index[i, j]]` for axis 1. After `torch.gather`.
  ///
  /// @throws ShapeException if the index does not fit
  /// @throws IllegalArgumentException if an index is not on the axis
  public Tensor gather(int axis, Tensor index) {
    return IndexOps.gather(this, axis, index);
  }

  /// This with values added where [#gather] would pick them: `y[i, index[i, j]] += values[i, j]`
  /// for axis 1. After `torch.scatter_add`.
  ///
  /// @throws ShapeException if index or values do not fit
  /// @throws IllegalArgumentException if an index is not on the axis
  public Tensor scatterAdd(int axis, Tensor index, Tensor values) {
    return IndexOps.scatterAdd(this, axis, index, values);
  }

  /// Values in order along an axis, and where each was.
  ///
  /// @param values in order
  /// @param indices on the axis, int64
  public record Sorted(Tensor values, Tensor indices) {}

  /// Sorts along an axis. Equal values stay in their order; NaN is greater than any number. Takes
  /// values of any type.
  ///
  /// @throws ShapeException if there is no such axis
  public Sorted sort(int axis, boolean descending) {
    return IndexOps.sort(this, axis, descending);
  }

  /// The int64 indices along an axis by which [#sort] orders it.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor argsort(int axis, boolean descending) {
    return IndexOps.argsort(this, axis, descending);
  }

  /// The `k` greatest or smallest values along an axis, the best first: the beginning of [#sort].
  ///
  /// @throws ShapeException if there is no such axis or it has fewer values
  public Sorted topk(int k, int axis, boolean largest) {
    return IndexOps.topk(this, k, axis, largest);
  }

  /// The values that occur, in order.
  ///
  /// @param values each once, `[n]`; each NaN is one of its own
  /// @param inverse where in `values` each value of the tensor is: int64, of its shape
  /// @param counts how often each of `values` occurs, int64
  public record Unique(Tensor values, Tensor inverse, Tensor counts) {}

  /// Finds which values occur, of any type. As in torch they have no gradient.
  public Unique unique() {
    return IndexOps.unique(this);
  }

  /// Running sums along an axis: `y[i] = x[0] + … + x[i]`, added up in float64. Those of whole
  /// numbers and masks are int64.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor cumsum(int axis) {
    return ScanOps.cumsum(this, axis);
  }

  /// Running products along an axis: `y[i] = x[0] * … * x[i]`, multiplied in float64.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor cumprod(int axis) {
    return ScanOps.cumprod(this, axis);
  }

  /// The sum of all values, a scalar. That of whole numbers is int64, and so is that of a mask: how
  /// often it is true.
  public Tensor sum() {
    return ReductionOps.sum(this);
  }

  /// The mean of all values, a scalar.
  ///
  /// @throws ShapeException if there are none
  public Tensor mean() {
    return ReductionOps.mean(this);
  }

  /// The sums along some axes; all other axes stay. Those of whole numbers and masks are int64.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor sumOver(Axes axes) {
    return ReductionOps.sumOver(this, axes);
  }

  /// The means along some axes.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor meanOver(Axes axes) {
    return ReductionOps.meanOver(this, axes);
  }

  /// The variances along some axes: the sum of squares, divided by the number of values less
  /// `correction`; torch's default is 1.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor varOver(Axes axes, int correction) {
    return ReductionOps.varOver(this, axes, correction);
  }

  /// The standard deviations along some axes: the square roots of [#varOver]. The gradient of
  /// equal values is 0.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor stdOver(Axes axes, int correction) {
    return ReductionOps.stdOver(this, axes, correction);
  }

  /// The root of the sum of all squares, a scalar. The gradient of zeros is 0.
  public Tensor norm() {
    return NormOps.norm(this);
  }

  /// Norms along some axes: the sum of `|x|` to this power, and its root. Of infinite order the
  /// greatest `|x|`. The gradient of zeros is 0. After `torch.linalg.vector_norm`.
  ///
  /// @throws ShapeException if there is no such axis
  /// @throws IllegalArgumentException if the order is not positive
  public Tensor normOver(Axes axes, double order) {
    return NormOps.normOver(this, axes, order);
  }

  /// `log(sum(exp(x)))` along some axes, without overflow.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor logsumexp(Axes axes) {
    return NormOps.logsumexp(this, axes);
  }

  /// The greatest values along some axes; NaN is greater than any number. The gradient goes to
  /// the first of equal ones.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor maxOver(Axes axes) {
    return ReductionOps.maxOver(this, axes);
  }

  /// The smallest values along some axes; NaN is smaller than any number. The gradient goes to
  /// the first of equal ones.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor minOver(Axes axes) {
    return ReductionOps.maxOver(neg(), axes).neg();
  }

  /// The int64 index of the greatest value along an axis, the first of equal ones; NaN is greater
  /// than any number. `[n, k]` along axis 1 gives `[n]`.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor argmax(int axis) {
    return ReductionOps.argmax(this, axis);
  }

  /// The int64 index of the smallest value along an axis, the first of equal ones.
  ///
  /// @throws ShapeException if there is no such axis or no value
  public Tensor argmin(int axis) {
    return ReductionOps.argmax(detach().neg(), axis);
  }

  /// `exp(x) / sum(exp(x))` along an axis, without overflow.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor softmax(int axis) {
    return ReductionOps.softmax(this, axis);
  }

  /// `log(exp(x) / sum(exp(x)))` along an axis, without overflow.
  ///
  /// @throws ShapeException if there is no such axis
  public Tensor logSoftmax(int axis) {
    return ReductionOps.logSoftmax(this, axis);
  }

  /// Leaves each value out with this probability and scales the rest by `1 / (1 - probability)`.
  /// Equal generators give equal results. A probability of 0 gives this tensor and draws nothing.
  ///
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public Tensor dropout(float probability, RandomGenerator random) {
    return RandomOps.dropout(this, probability, random);
  }

  /// Does so for whole channels of `[n, c, h, w]`. After `torch.nn.functional.dropout2d`.
  ///
  /// @throws ShapeException if there are not four axes
  public Tensor dropout2d(float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout2d", 4, this, probability, random);
  }

  /// Multiplies `[m, k]` by `[k, n]`, giving `[m, n]`. More axes in front are a batch of matrices
  /// and meet by numpy's rule; a tensor of one axis is a row on the left, a column on the right.
  ///
  /// @throws ShapeException if the inner sizes differ or the batches do not fit
  public Tensor matmul(Tensor other) {
    return MatrixOps.matmul(this, other);
  }

  /// Sums of products, as the equation's letters for axes say: `ij,jk->ik` multiplies matrices,
  /// `ii->i` takes a diagonal, `bij->b` adds up. Axes that the result does not name are summed
  /// over; `...` stands for axes that are broadcast; without `->` the result has the letters that
  /// occur once, in alphabetical order. Tensors are taken from left to right.
  ///
  /// @throws IllegalArgumentException if the equation does not name one term for each operand, or
  ///     has other signs
  /// @throws ShapeException if the sizes of a letter differ
  public static Tensor einsum(String equation, Tensor... operands) {
    return MatrixOps.einsum(equation, operands);
  }

  /// Each value of `[m]` times each of `other`'s `[n]`: `[m, n]`.
  ///
  /// @throws ShapeException if one has not one axis
  public Tensor outer(Tensor other) {
    return MatrixOps.outer(this, other);
  }

  /// The diagonal of a matrix, so far above the main one, or below it if negative; of `[n]` the
  /// matrix that has these values on its diagonal and else zeros.
  ///
  /// @throws ShapeException if there are not one or two axes, or the matrix has no such diagonal
  public Tensor diag(int diagonal) {
    return MatrixOps.diag(this, diagonal);
  }

  /// The sum of a matrix's main diagonal, a scalar.
  ///
  /// @throws ShapeException if there are not two axes
  public Tensor trace() {
    return MatrixOps.trace(this);
  }

  /// The last two axes with zeros above a diagonal, which is so far above the main one.
  ///
  /// @throws ShapeException if there are fewer axes than two
  public Tensor tril(int diagonal) {
    return MatrixOps.tril(this, diagonal);
  }

  /// The last two axes with zeros below a diagonal, which is so far above the main one.
  ///
  /// @throws ShapeException if there are fewer axes than two
  public Tensor triu(int diagonal) {
    return MatrixOps.triu(this, diagonal);
  }

  /// `x · weightᵀ + bias`: `[n, in]` with weight `[out, in]` and bias `[out]` gives `[n, out]`;
  /// more axes in front stay. After `torch.nn.functional.linear`.
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
