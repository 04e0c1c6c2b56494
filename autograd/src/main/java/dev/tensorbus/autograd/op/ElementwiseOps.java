// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import org.jspecify.annotations.Nullable;

/// Operations that treat each value by itself.
public final class ElementwiseOps {
  private static final Kernels KERNELS = Kernels.best();

  private ElementwiseOps() {}

  /// See [Tensor#scale].
  public static Tensor scale(Tensor x, float factor) {
    return new Scale(factor).apply(x);
  }

  private record Scale(float factor) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      return new Result(
          inputs[0].shape(),
          times(inputs[0]),
          (gradient, needed) -> new Tensor[] {Tensor.of(gradient.shape(), times(gradient))});
    }

    private float[] times(Tensor x) {
      float[] product = new float[x.shape().elements()];
      KERNELS.scale(x.values(), factor, product);
      return product;
    }
  }

  /// See [Tensor#add].
  public static Tensor add(Tensor a, Tensor b) {
    if (!isTail(b.shape(), a.shape())) {
      throw new ShapeException(
          "add", b.shape() + " is neither " + a.shape() + " nor its last axes");
    }
    return new Add().apply(a, b);
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
      float[] sum = new float[inputs[0].shape().elements()];
      KERNELS.add(inputs[0].values(), inputs[1].values(), sum);
      Shape second = inputs[1].shape();
      return new Result(
          inputs[0].shape(),
          sum,
          (gradient, needed) ->
              new Tensor[] {gradient, needed[1] ? summedTo(second, gradient) : null});
    }

    /// Sums over the axes that `shape` lacks: its values were added once for each of their
    /// indices.
    private static Tensor summedTo(Shape shape, Tensor gradient) {
      if (shape.equals(gradient.shape())) {
        return gradient;
      }
      float[] sums = new float[shape.elements()];
      KERNELS.sumChannels(gradient.values(), 1, sums);
      return Tensor.of(shape, sums);
    }
  }

  /// See [Tensor#sub].
  public static Tensor sub(Tensor a, Tensor b) {
    requireSame("sub", a, b);
    return new Sub().apply(a, b);
  }

  private record Sub() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] difference = new float[inputs[0].shape().elements()];
      KERNELS.subtract(inputs[0].values(), inputs[1].values(), difference);
      return new Result(
          inputs[0].shape(),
          difference,
          (gradient, needed) ->
              new Tensor[] {gradient, needed[1] ? ElementwiseOps.scale(gradient, -1f) : null});
    }
  }

  /// See [Tensor#mul].
  public static Tensor mul(Tensor a, Tensor b) {
    requireSame("mul", a, b);
    return new Mul().apply(a, b);
  }

  private record Mul() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] product = product(inputs[0], inputs[1]);
      return new Result(inputs[0].shape(), product, new Mul.Saved(inputs[0], inputs[1]));
    }

    private record Saved(Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Tensor.of(a.shape(), product(gradient, b)) : null,
          needed[1] ? Tensor.of(b.shape(), product(gradient, a)) : null
        };
      }
    }

    private static float[] product(Tensor a, Tensor b) {
      float[] product = new float[a.shape().elements()];
      KERNELS.multiply(a.values(), b.values(), product);
      return product;
    }
  }

  /// See [Tensor#relu].
  public static Tensor relu(Tensor x) {
    return new Relu().apply(x);
  }

  private record Relu() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] output = new float[inputs[0].shape().elements()];
      KERNELS.relu(inputs[0].values(), output);
      return new Result(inputs[0].shape(), output, new Relu.Saved(output));
    }

    private record Saved(float[] output) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[output.length];
        KERNELS.reluGradient(output, gradient.values(), gradients);
        return new Tensor[] {Tensor.of(gradient.shape(), gradients)};
      }
    }
  }

  /// See [Tensor#abs].
  public static Tensor abs(Tensor x) {
    return new Abs().apply(x);
  }

  private record Abs() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] output = new float[inputs[0].shape().elements()];
      KERNELS.abs(inputs[0].values(), output);
      return new Result(inputs[0].shape(), output, new Abs.Saved(inputs[0]));
    }

    /// The derivative at 0 is 0, as in torch.
    private record Saved(Tensor x) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[x.shape().elements()];
        KERNELS.absGradient(x.values(), gradient.values(), gradients);
        return new Tensor[] {Tensor.of(x.shape(), gradients)};
      }
    }
  }

  private static void requireSame(String operation, Tensor a, Tensor b) {
    if (!a.shape().equals(b.shape())) {
      throw new ShapeException(operation, a.shape() + " and " + b.shape() + " differ");
    }
  }
}
