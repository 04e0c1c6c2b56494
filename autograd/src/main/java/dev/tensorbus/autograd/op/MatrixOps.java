// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.MatmulShape;
import org.jspecify.annotations.Nullable;

/// Matrix products.
public final class MatrixOps {
  private MatrixOps() {}

  /// See [Tensor#matmul].
  public static Tensor matmul(Tensor a, Tensor b) {
    requireMatrix("matmul", a);
    requireMatrix("matmul", b);
    int inner = a.shape().size(1);
    if (inner != b.shape().size(0)) {
      throw new ShapeException(
          "matmul",
          a.shape()
              + " cannot multiply "
              + b.shape()
              + ": inner sizes "
              + inner
              + " and "
              + b.shape().size(0)
              + " differ");
    }
    Compute.requireOneType("matmul", a, b);
    return new Matmul(a.shape().size(0), b.shape().size(1), inner).apply(a, b);
  }

  private record Matmul(int rows, int columns, int inner) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      MatmulShape shape = MatmulShape.of(rows, columns, inner);
      return new Result(
          product(shape, inputs[0], inputs[1], Shape.of(rows, columns)),
          new Matmul.Saved(inputs[0], inputs[1]));
    }

    private record Saved(Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {needed[0] ? left(gradient) : null, needed[1] ? right(gradient) : null};
      }

      /// `gradient · bᵀ`.
      private Tensor left(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(a.shape().size(0), a.shape().size(1), b.shape().size(1))
                .withTransposedB();
        return product(shape, gradient, b, a.shape());
      }

      /// `aᵀ · gradient`.
      private Tensor right(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(b.shape().size(0), b.shape().size(1), a.shape().size(0))
                .withTransposedA();
        return product(shape, a, gradient, b.shape());
      }
    }
  }

  /// See [Tensor#linear].
  public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    requireMatrix("linear", x);
    requireMatrix("linear", weight);
    Shape shape = weight.shape();
    if (x.shape().size(1) != shape.size(1)) {
      throw new ShapeException(
          "linear",
          x.shape()
              + " does not fit weight "
              + shape
              + ": "
              + x.shape().size(1)
              + " inputs, "
              + shape.size(1)
              + " expected");
    }
    if (!bias.shape().equals(Shape.of(shape.size(0)))) {
      throw new ShapeException("linear", "bias " + bias.shape() + " does not fit weight " + shape);
    }
    Compute.requireOneType("linear", x, weight, bias);
    return new Linear(x.shape().size(0), shape.size(0), shape.size(1)).apply(x, weight, bias);
  }

  private record Linear(int rows, int outputs, int inputs) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      MatmulShape shape = MatmulShape.of(rows, outputs, this.inputs).withTransposedB();
      Object x = inputs[0].storage();
      Object weight = inputs[1].storage();
      Object bias = inputs[2].storage();
      Tensor result =
          Compute.result(
              inputs[0],
              Shape.of(rows, outputs),
              (k, y) -> {
                k.fillChannels(bias, 1, y);
                k.matmul(shape, x, weight, y);
              });
      return new Result(result, new Linear.Saved(inputs[0], inputs[1]));
    }

    private record Saved(Tensor x, Tensor weight) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? xGradient(gradient) : null,
          needed[1] ? weightGradient(gradient) : null,
          needed[2] ? biasGradient(gradient) : null
        };
      }

      /// `gradient · weight`.
      private Tensor xGradient(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(x.shape().size(0), x.shape().size(1), weight.shape().size(0));
        return product(shape, gradient, weight, x.shape());
      }

      /// `gradientᵀ · x`.
      private Tensor weightGradient(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(weight.shape().size(0), weight.shape().size(1), x.shape().size(0))
                .withTransposedA();
        return product(shape, gradient, x, weight.shape());
      }

      private Tensor biasGradient(Tensor gradient) {
        return Compute.result(
            gradient,
            Shape.of(weight.shape().size(0)),
            (k, sums) -> k.sumChannels(gradient.storage(), 1, sums));
      }
    }
  }

  private static Tensor product(MatmulShape shape, Tensor a, Tensor b, Shape result) {
    return Compute.result(a, result, (k, c) -> k.matmul(shape, a.storage(), b.storage(), c));
  }

  private static void requireMatrix(String operation, Tensor x) {
    if (x.shape().rank() != 2) {
      throw new ShapeException(operation, x.shape() + " is not a matrix of two axes");
    }
  }
}
