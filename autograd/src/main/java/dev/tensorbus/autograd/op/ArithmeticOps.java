// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import org.jspecify.annotations.Nullable;

/// Arithmetic, value by value.
public final class ArithmeticOps {
  private ArithmeticOps() {}

  /// See [Tensor#scale].
  public static Tensor scale(Tensor x, double factor) {
    Compute.requireFloating("scale", x);
    return new Scale(factor).apply(x);
  }

  private record Scale(double factor) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(times(inputs[0]), (gradient, needed) -> new Tensor[] {times(gradient)});
    }

    private Tensor times(Tensor x) {
      return Compute.result(x, x.shape(), (k, product) -> k.scale(x.storage(), factor, product));
    }
  }

  /// See [Tensor#add].
  public static Tensor add(Tensor a, Tensor b) {
    SparseRows rowsOfA = a.sparseRows();
    SparseRows rowsOfB = b.sparseRows();
    if (rowsOfA != null && rowsOfB != null && rowsOfA.fits(rowsOfB)) {
      return Tensor.ofRows(rowsOfA.plus(rowsOfB));
    }
    return binary(new Add(), a, b);
  }

  /// Adds to a tensor that nobody else has seen yet. Sparse ones are added by [#add].
  ///
  /// @return whether it did
  public static boolean addInPlace(Tensor sum, Tensor more) {
    boolean fits = sum.dtype() == more.dtype() && sum.shape().equals(more.shape());
    if (!fits || sum.sparseRows() != null) {
      return false;
    }
    Compute.kernels(sum).add(sum.storage(), more.storage(), sum.storage());
    return true;
  }

  private record Add() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(
          combined("add", Arithmetic::add, inputs[0], inputs[1]),
          new Add.Saved(inputs[0].shape(), inputs[1].shape()));
    }

    private record Saved(Shape a, Shape b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(gradient, a) : null,
          needed[1] ? Broadcast.reduce(gradient, b) : null
        };
      }
    }
  }

  /// See [Tensor#sub].
  public static Tensor sub(Tensor a, Tensor b) {
    return binary(new Sub(), a, b);
  }

  private record Sub() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(
          combined("sub", Arithmetic::subtract, inputs[0], inputs[1]),
          new Sub.Saved(inputs[0].shape(), inputs[1].shape()));
    }

    private record Saved(Shape a, Shape b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(gradient, a) : null,
          needed[1] ? Broadcast.reduce(scale(gradient, -1), b) : null
        };
      }
    }
  }

  /// See [Tensor#mul].
  public static Tensor mul(Tensor a, Tensor b) {
    return binary(new Mul(), a, b);
  }

  private record Mul() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(product(inputs[0], inputs[1]), new Mul.Saved(inputs[0], inputs[1]));
    }

    private record Saved(Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(product(gradient, b), a.shape()) : null,
          needed[1] ? Broadcast.reduce(product(gradient, a), b.shape()) : null
        };
      }
    }

    private static Tensor product(Tensor a, Tensor b) {
      return combined("mul", Arithmetic::multiply, a, b);
    }
  }

  /// See [Tensor#div].
  public static Tensor div(Tensor a, Tensor b) {
    return binary(new Div(), a, b);
  }

  private record Div() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor quotient = quotient(inputs[0], inputs[1]);
      return new Result(quotient, new Div.Saved(inputs[0].shape(), inputs[1], quotient));
    }

    private record Saved(Shape a, Tensor b, Tensor quotient) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor byA = Div.quotient(gradient, b);
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(byA, a) : null,
          needed[1] ? Broadcast.reduce(scale(Mul.product(byA, quotient), -1), b.shape()) : null
        };
      }
    }

    private static Tensor quotient(Tensor a, Tensor b) {
      return combined("div", Arithmetic::divide, a, b);
    }
  }

  /// A kernel of two arrays, of which the second may be rows of the first.
  @FunctionalInterface
  private interface Combination {
    void run(Arithmetic<Object> kernels, Object a, Object b, Object result);
  }

  private static Tensor combined(String operation, Combination kernel, Tensor a, Tensor b) {
    Shape shape = Broadcast.shape(operation, a.shape(), b.shape());
    Object first = Broadcast.expand(a, shape).storage();
    Object second = Broadcast.rows(b, shape).storage();
    return Compute.result(a, shape, (k, values) -> kernel.run(k, first, second, values));
  }

  private static Tensor binary(Operation operation, Tensor a, Tensor b) {
    Broadcast.shape(operation.name(), a.shape(), b.shape());
    return operation.apply(TypeOps.together(operation.name(), a, b));
  }
}
