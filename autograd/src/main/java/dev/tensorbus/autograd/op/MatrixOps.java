// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.MatmulShape;
import org.jspecify.annotations.Nullable;

/// Matrix products.
public final class MatrixOps {
  private static final Kernels KERNELS = Kernels.best();

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
    return new Matmul(a.shape().size(0), b.shape().size(1), inner).apply(a, b);
  }

  private record Matmul(int rows, int columns, int inner) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] product = new float[rows * columns];
      KERNELS.matmul(
          MatmulShape.of(rows, columns, inner), inputs[0].values(), inputs[1].values(), product);
      return new Result(Shape.of(rows, columns), product, new Matmul.Saved(inputs[0], inputs[1]));
    }

    private record Saved(Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {needed[0] ? left(gradient) : null, needed[1] ? right(gradient) : null};
      }

      /// `gradient · bᵀ`.
      private Tensor left(Tensor gradient) {
        float[] product = new float[a.shape().elements()];
        MatmulShape shape =
            MatmulShape.of(a.shape().size(0), a.shape().size(1), b.shape().size(1))
                .withTransposedB();
        KERNELS.matmul(shape, gradient.values(), b.values(), product);
        return Tensor.of(a.shape(), product);
      }

      /// `aᵀ · gradient`.
      private Tensor right(Tensor gradient) {
        float[] product = new float[b.shape().elements()];
        MatmulShape shape =
            MatmulShape.of(b.shape().size(0), b.shape().size(1), a.shape().size(0))
                .withTransposedA();
        KERNELS.matmul(shape, a.values(), gradient.values(), product);
        return Tensor.of(b.shape(), product);
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
    return new Linear(x.shape().size(0), shape.size(0), shape.size(1)).apply(x, weight, bias);
  }

  private record Linear(int rows, int outputs, int inputs) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      float[] y = new float[rows * outputs];
      KERNELS.fillChannels(inputs[2].values(), 1, y);
      KERNELS.matmul(
          MatmulShape.of(rows, outputs, this.inputs).withTransposedB(),
          inputs[0].values(),
          inputs[1].values(),
          y);
      return new Result(Shape.of(rows, outputs), y, new Linear.Saved(inputs[0], inputs[1]));
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
        float[] product = new float[x.shape().elements()];
        KERNELS.matmul(
            MatmulShape.of(x.shape().size(0), x.shape().size(1), weight.shape().size(0)),
            gradient.values(),
            weight.values(),
            product);
        return Tensor.of(x.shape(), product);
      }

      /// `gradientᵀ · x`.
      private Tensor weightGradient(Tensor gradient) {
        float[] product = new float[weight.shape().elements()];
        MatmulShape shape =
            MatmulShape.of(weight.shape().size(0), weight.shape().size(1), x.shape().size(0))
                .withTransposedA();
        KERNELS.matmul(shape, gradient.values(), x.values(), product);
        return Tensor.of(weight.shape(), product);
      }

      private Tensor biasGradient(Tensor gradient) {
        float[] sums = new float[weight.shape().size(0)];
        KERNELS.sumChannels(gradient.values(), 1, sums);
        return Tensor.of(Shape.of(sums.length), sums);
      }
    }
  }

  private static void requireMatrix(String operation, Tensor x) {
    if (x.shape().rank() != 2) {
      throw new ShapeException(operation, x.shape() + " is not a matrix of two axes");
    }
  }
}
