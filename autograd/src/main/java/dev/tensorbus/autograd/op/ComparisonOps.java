// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Order;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations that create masks, and operations that use masks to select values.
public final class ComparisonOps {
  /// The largest number up to which a double holds every integer.
  private static final double EXACT = 1L << 53;

  private ComparisonOps() {}

  /// See [Tensor#lt].
  public static Tensor lt(Tensor a, Tensor b) {
    return compare("lt", Order.LT, a, b);
  }

  /// See [Tensor#le].
  public static Tensor le(Tensor a, Tensor b) {
    return compare("le", Order.LE, a, b);
  }

  /// See [Tensor#gt].
  public static Tensor gt(Tensor a, Tensor b) {
    return compare("gt", Order.GT, a, b);
  }

  /// See [Tensor#ge].
  public static Tensor ge(Tensor a, Tensor b) {
    return compare("ge", Order.GE, a, b);
  }

  /// See [Tensor#eq].
  public static Tensor eq(Tensor a, Tensor b) {
    return compare("eq", Order.EQ, a, b);
  }

  /// See [Tensor#ne].
  public static Tensor ne(Tensor a, Tensor b) {
    return compare("ne", Order.NE, a, b);
  }

  /// Returns a number as a tensor with which `x` can be compared.
  public static Tensor number(String operation, Tensor x, double number) {
    if (x.dtype() != DType.INT64 && x.dtype() != DType.BOOL) {
      return Tensor.full(Shape.SCALAR, x.dtype(), number);
    }
    if (Math.abs(number) > EXACT && Double.isFinite(number)) {
      throw new IllegalArgumentException(
          "%s: %s values and %s, which is beyond 2^53; compare with Tensor.scalar(%dL)"
              .formatted(operation, x.dtype(), number, (long) number));
    }
    return Tensor.full(Shape.SCALAR, DType.FLOAT64, number);
  }

  /// Returns a mask that is true where the comparison holds. It has no gradient.
  private static Tensor compare(String operation, Order order, Tensor a, Tensor b) {
    Compare compare = new Compare(operation, order, TypeOps.promoted(a, b));
    return Trace.run(compare, () -> compared(operation, order, a, b), a, b);
  }

  private record Compare(String name, Order order, DType type) implements Traceable {
    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      OnnxValue a = comparable(inputs[0]);
      OnnxValue b = comparable(inputs[1]);
      return List.of(
          switch (order) {
            case LT -> operator("Less").of(a, b);
            case LE -> operator("LessOrEqual").of(a, b);
            case GT -> operator("Greater").of(a, b);
            case GE -> operator("GreaterOrEqual").of(a, b);
            case EQ -> operator("Equal").of(a, b);
            case NE -> operator("Not").of(operator("Equal").of(a, b));
          });
    }

    /// Converts an input for comparison. ONNX cannot compare masks, and ONNX Runtime cannot compare
    /// bfloat16.
    private OnnxValue comparable(OnnxValue.Input input) {
      return switch (type) {
        case BOOL -> input.cast(DType.INT64);
        case BFLOAT16 -> input.cast(type).cast(DType.FLOAT32);
        case INT64, FLOAT32, FLOAT64 -> input.cast(type);
      };
    }
  }

  private static Tensor compared(String operation, Order order, Tensor a, Tensor b) {
    Shape shape = Broadcast.shape(operation, a.shape(), b.shape());
    DType met = TypeOps.promoted(a, b);
    DType type =
        switch (met) {
          case BOOL, INT64 -> DType.INT64;
          case BFLOAT16, FLOAT32 -> DType.FLOAT32;
          case FLOAT64 -> DType.FLOAT64;
        };
    Tensor first = Broadcast.expand(a.detach().to(met).to(type), shape);
    Tensor second = Broadcast.expand(b.detach().to(met).to(type), shape);
    return Tensor.of(
        shape,
        type == DType.INT64
            ? compared(order, first.longs(), second.longs())
            : compared(order, type, first, second));
  }

  private static boolean[] compared(Order order, DType type, Tensor a, Tensor b) {
    boolean[] mask = new boolean[a.shape().elements()];
    Compute.kernels(type).compare(order, array(a), array(b), mask);
    return mask;
  }

  private static boolean[] compared(Order order, long[] a, long[] b) {
    boolean[] mask = new boolean[a.length];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = order.holds(a[i], b[i]);
    }
    return mask;
  }

  /// See [Tensor#not].
  public static Tensor not(Tensor mask) {
    return Trace.run(
        new Combine("not", operator("Not")), () -> combine("not", mask, mask, (a, b) -> !a), mask);
  }

  /// See [Tensor#and].
  public static Tensor and(Tensor a, Tensor b) {
    return Trace.run(
        new Combine("and", operator("And")), () -> combine("and", a, b, (x, y) -> x && y), a, b);
  }

  /// See [Tensor#or].
  public static Tensor or(Tensor a, Tensor b) {
    return Trace.run(
        new Combine("or", operator("Or")), () -> combine("or", a, b, (x, y) -> x || y), a, b);
  }

  private record Combine(String name, OnnxOperator operator) implements Traceable {
    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      return List.of(operator.of(inputs));
    }
  }

  @FunctionalInterface
  private interface Logic {
    boolean of(boolean a, boolean b);
  }

  private static Tensor combine(String operation, Tensor a, Tensor b, Logic logic) {
    requireMask(operation, a);
    requireMask(operation, b);
    Shape shape = Broadcast.shape(operation, a.shape(), b.shape());
    boolean[] first = Broadcast.expand(a, shape).booleans();
    boolean[] second = Broadcast.expand(b, shape).booleans();
    boolean[] mask = new boolean[shape.elements()];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = logic.of(first[i], second[i]);
    }
    return Tensor.of(shape, mask);
  }

  /// Checks that a tensor is a mask.
  public static void requireMask(String operation, Tensor mask) {
    if (mask.dtype() != DType.BOOL) {
      throw new IllegalArgumentException(
          operation
              + ": requires a bool mask, not "
              + mask.dtype()
              + "; compare, or to(DType.BOOL)");
    }
  }

  /// See [Tensor#where].
  public static Tensor where(Tensor mask, Tensor a, Tensor b) {
    requireMask("where", mask);
    Shape shape = Broadcast.shape("where", a.shape(), b.shape());
    Shape whole = Broadcast.shape("where", shape, mask.shape());
    Tensor[] both = TypeOps.together("where", a, b);
    return new Where(whole).apply(both[0], both[1], mask);
  }

  /// See [Tensor#maximum].
  public static Tensor maximum(Tensor a, Tensor b) {
    return extreme("maximum", Order.GT, a, b);
  }

  /// See [Tensor#minimum].
  public static Tensor minimum(Tensor a, Tensor b) {
    return extreme("minimum", Order.LT, a, b);
  }

  /// Selects the larger or the smaller of two values.
  ///
  /// @param best `GT` to select the larger value, `LT` to select the smaller one
  private static Tensor extreme(String operation, Order best, Tensor a, Tensor b) {
    Broadcast.shape(operation, a.shape(), b.shape());
    return new Extreme(operation, best).apply(TypeOps.together(operation, a, b));
  }

  private record Extreme(String name, Order best) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Shape shape = Broadcast.shape(name, inputs[0].shape(), inputs[1].shape());
      Tensor a = Broadcast.expand(inputs[0], shape);
      Tensor b = Broadcast.expand(inputs[1], shape);
      return Compute.result(
          a,
          shape,
          (k, y) -> {
            if (best == Order.GT) {
              k.maximum(array(a), array(b), y);
            } else {
              k.minimum(array(a), array(b), y);
            }
          });
    }

    @Override
    public Derivative derivative(Application of) {
      return new Extreme.Saved(best, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator(best == Order.GT ? "Max" : "Min").of(inputs);
    }

    /// Equal values each get half of the gradient. If either value is NaN, both get the whole
    /// gradient, as in torch.
    private record Saved(Order best, Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(part(gradient, a, b), a.shape()) : null,
          needed[1] ? Broadcast.reduce(part(gradient, b, a), b.shape()) : null
        };
      }

      private Tensor part(Tensor gradient, Tensor mine, Tensor other) {
        Tensor equal = compare("eq", Order.EQ, mine, other);
        Tensor worse = compare("best", best, other, mine);
        Tensor none = Tensor.full(gradient.shape(), gradient.dtype(), 0);
        return chosen(worse, none, chosen(equal, gradient.scale(0.5), gradient));
      }
    }
  }

  /// Selects values in a derivative; `a` and `b` have the shape of the result.
  private static Tensor chosen(Tensor mask, Tensor a, Tensor b) {
    return new Where(a.shape()).inBackward(a, b, mask);
  }

  /// The inputs are the two tensors and the mask.
  private record Where(Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      boolean[] mask = Broadcast.expand(inputs[2], shape).booleans();
      Tensor a = Broadcast.expand(inputs[0], shape);
      Tensor b = Broadcast.expand(inputs[1], shape);
      return Compute.result(a, shape, (k, y) -> k.choose(mask, array(a), array(b), y));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Where.Saved(of.input(2), of.shape(0), of.shape(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Where").of(inputs[2], inputs[0], inputs[1]);
    }

    /// Each input gets the gradient of the values that were taken from it, and zeros elsewhere,
    /// even where the gradient is infinite.
    private record Saved(Tensor mask, Shape a, Shape b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor none = Tensor.full(gradient.shape(), gradient.dtype(), 0);
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(chosen(mask, gradient, none), a) : null,
          needed[1] ? Broadcast.reduce(chosen(mask, none, gradient), b) : null,
          null
        };
      }
    }
  }
}
