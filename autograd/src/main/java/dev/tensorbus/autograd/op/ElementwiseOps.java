// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Operations that treat each value by itself.
public final class ElementwiseOps {
  private ElementwiseOps() {}

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
    if (!isTail(b.shape(), a.shape())) {
      throw new ShapeException(
          "add", b.shape() + " is neither " + a.shape() + " nor its last axes");
    }
    return new Add().apply(promoted("add", a, b));
  }

  /// Whether `shape` is all or the last axes of `whole`.
  private static boolean isTail(Shape shape, Shape whole) {
    for (int axis = 1; axis <= shape.rank(); axis++) {
      if (axis > whole.rank() || shape.size(-axis) != whole.size(-axis)) {
        return false;
      }
    }
    return true;
  }

  private record Add() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor a = inputs[0];
      Object b = inputs[1].storage();
      Shape second = inputs[1].shape();
      return new Result(
          Compute.result(a, a.shape(), (k, sum) -> k.add(a.storage(), b, sum)),
          (gradient, needed) ->
              new Tensor[] {gradient, needed[1] ? summedTo(second, gradient) : null});
    }

    /// Sums over the axes that `shape` lacks: its values were added once for each of their
    /// indices.
    private static Tensor summedTo(Shape shape, Tensor gradient) {
      return shape.equals(gradient.shape())
          ? gradient
          : Compute.result(
              gradient, shape, (k, sums) -> k.sumChannels(gradient.storage(), 1, sums));
    }
  }

  /// See [Tensor#sub].
  public static Tensor sub(Tensor a, Tensor b) {
    requireSame("sub", a, b);
    return new Sub().apply(promoted("sub", a, b));
  }

  private record Sub() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Object a = inputs[0].storage();
      Object b = inputs[1].storage();
      return new Result(
          Compute.result(inputs[0], inputs[0].shape(), (k, y) -> k.subtract(a, b, y)),
          (gradient, needed) ->
              new Tensor[] {gradient, needed[1] ? ElementwiseOps.scale(gradient, -1) : null});
    }
  }

  /// See [Tensor#mul].
  public static Tensor mul(Tensor a, Tensor b) {
    requireSame("mul", a, b);
    return new Mul().apply(promoted("mul", a, b));
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
          needed[0] ? product(gradient, b) : null, needed[1] ? product(gradient, a) : null
        };
      }
    }

    private static Tensor product(Tensor a, Tensor b) {
      return Compute.result(a, a.shape(), (k, y) -> k.multiply(a.storage(), b.storage(), y));
    }
  }

  /// See [Tensor#relu].
  public static Tensor relu(Tensor x) {
    Compute.requireFloating("relu", x);
    return new Relu().apply(x);
  }

  private record Relu() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Tensor output = Compute.result(x, x.shape(), (k, y) -> k.relu(x.storage(), y));
      return new Result(output, new Relu.Saved(output));
    }

    private record Saved(Tensor output) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              output,
              output.shape(),
              (k, dx) -> k.reluGradient(output.storage(), gradient.storage(), dx))
        };
      }
    }
  }

  /// See [Tensor#abs].
  public static Tensor abs(Tensor x) {
    Compute.requireFloating("abs", x);
    return new Abs().apply(x);
  }

  private record Abs() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      return new Result(
          Compute.result(x, x.shape(), (k, y) -> k.abs(x.storage(), y)), new Abs.Saved(x));
    }

    /// The derivative at 0 is 0, as in torch.
    private record Saved(Tensor x) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              x, x.shape(), (k, dx) -> k.absGradient(x.storage(), gradient.storage(), dx))
        };
      }
    }
  }

  private static Tensor[] promoted(String operation, Tensor a, Tensor b) {
    DType type = TypeOps.promoted(a, b);
    Tensor[] promoted = {TypeOps.to(a, type), TypeOps.to(b, type)};
    Compute.requireFloating(operation, promoted);
    return promoted;
  }

  private static void requireSame(String operation, Tensor a, Tensor b) {
    if (!a.shape().equals(b.shape())) {
      throw new ShapeException(operation, a.shape() + " and " + b.shape() + " differ");
    }
  }
}
