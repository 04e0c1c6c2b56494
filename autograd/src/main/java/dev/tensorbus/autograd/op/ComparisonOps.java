// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Operations that make masks, and those that choose by them.
public final class ComparisonOps {
  private ComparisonOps() {}

  /// Which order of two numbers is wanted. NaN is in none but [#NE].
  public enum Order {
    /// Less.
    LT,
    /// Less or equal.
    LE,
    /// Greater.
    GT,
    /// Greater or equal.
    GE,
    /// Equal.
    EQ,
    /// Not equal.
    NE;

    private boolean holds(double a, double b) {
      return switch (this) {
        case LT -> a < b;
        case LE -> a <= b;
        case GT -> a > b;
        case GE -> a >= b;
        case EQ -> a == b;
        case NE -> a != b;
      };
    }

    private boolean holds(long a, long b) {
      return switch (this) {
        case LT -> a < b;
        case LE -> a <= b;
        case GT -> a > b;
        case GE -> a >= b;
        case EQ -> a == b;
        case NE -> a != b;
      };
    }
  }

  /// A mask of where the order holds. It has no gradient.
  public static Tensor compare(String operation, Order order, Tensor a, Tensor b) {
    Shape shape = Broadcast.shape(operation, a.shape(), b.shape());
    DType type = TypeOps.promoted(a, b);
    Object first = Broadcast.expand(a.detach().to(type), shape).storage();
    Object second = Broadcast.expand(b.detach().to(type), shape).storage();
    boolean[] mask = new boolean[shape.elements()];
    for (int i = 0; i < mask.length; i++) {
      mask[i] =
          switch (first) {
            case float[] values -> order.holds(values[i], ((float[]) second)[i]);
            case double[] values -> order.holds(values[i], ((double[]) second)[i]);
            case long[] values -> order.holds(values[i], ((long[]) second)[i]);
            default -> order.holds(number(first, i), number(second, i));
          };
    }
    return Tensor.ofStorage(shape, mask);
  }

  private static long number(Object mask, int i) {
    return ((boolean[]) mask)[i] ? 1 : 0;
  }

  /// See [Tensor#not].
  public static Tensor not(Tensor mask) {
    return combine("not", mask, mask, (a, b) -> !a);
  }

  /// See [Tensor#and].
  public static Tensor and(Tensor a, Tensor b) {
    return combine("and", a, b, (x, y) -> x && y);
  }

  /// See [Tensor#or].
  public static Tensor or(Tensor a, Tensor b) {
    return combine("or", a, b, (x, y) -> x || y);
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
    return Tensor.ofStorage(shape, mask);
  }

  private static void requireMask(String operation, Tensor mask) {
    if (mask.dtype() != DType.BOOL) {
      throw new IllegalArgumentException(
          operation + ": takes a bool mask, not " + mask.dtype() + "; compare, or to(DType.BOOL)");
    }
  }

  /// See [Tensor#where].
  public static Tensor where(Tensor mask, Tensor a, Tensor b) {
    requireMask("where", mask);
    Shape shape = Broadcast.shape("where", a.shape(), b.shape());
    Shape whole = Broadcast.shape("where", shape, mask.shape());
    return new Where(Broadcast.expand(mask, whole).booleans(), whole)
        .apply(TypeOps.together("where", a, b));
  }

  /// See [Tensor#maximum] and [Tensor#minimum].
  ///
  /// @param best the order of the result to what it was preferred to
  public static Tensor extreme(String operation, Order best, Tensor a, Tensor b) {
    Broadcast.shape(operation, a.shape(), b.shape());
    return new Extreme(operation, best).apply(TypeOps.together(operation, a, b));
  }

  private record Extreme(String name, Order best) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Shape shape = Broadcast.shape(name, inputs[0].shape(), inputs[1].shape());
      Tensor a = Broadcast.expand(inputs[0], shape);
      Tensor b = Broadcast.expand(inputs[1], shape);
      boolean[] first = or(compare(name, best, a, b), compare(name, Order.NE, a, a)).booleans();
      return new Result(
          chosen(first, a, b), new Extreme.Saved(best, a, b, inputs[0].shape(), inputs[1].shape()));
    }

    /// Equal values get half each; beside NaN, both get all of it, as in torch.
    private record Saved(Order best, Tensor a, Tensor b, Shape shapeA, Shape shapeB)
        implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(part(gradient, a, b), shapeA) : null,
          needed[1] ? Broadcast.reduce(part(gradient, b, a), shapeB) : null
        };
      }

      private Tensor part(Tensor gradient, Tensor mine, Tensor other) {
        boolean[] equal = compare("eq", Order.EQ, mine, other).booleans();
        boolean[] worse = compare("best", best, other, mine).booleans();
        Tensor none = Tensor.full(gradient.shape(), gradient.dtype(), 0);
        return chosen(worse, none, chosen(equal, ArithmeticOps.scale(gradient, 0.5), gradient));
      }
    }
  }

  private static Tensor chosen(boolean[] mask, Tensor a, Tensor b) {
    return Compute.result(a, a.shape(), (k, y) -> k.choose(mask, a.storage(), b.storage(), y));
  }

  private record Where(boolean[] mask, Shape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor a = Broadcast.expand(inputs[0], shape);
      Tensor b = Broadcast.expand(inputs[1], shape);
      return new Result(
          chosen(mask, a, b), new Where.Saved(mask, inputs[0].shape(), inputs[1].shape()));
    }

    /// To each what was taken of it; the rest gets zeros, whatever the gradient.
    private record Saved(boolean[] mask, Shape a, Shape b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor none = Tensor.full(gradient.shape(), gradient.dtype(), 0);
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(chosen(mask, gradient, none), a) : null,
          needed[1] ? Broadcast.reduce(chosen(mask, none, gradient), b) : null
        };
      }
    }
  }
}
