// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Matrix products, diagonals and triangles.
public final class MatrixOps {
  /// The minimum number of multiplications for which a product takes longer than sending a message.
  public static final long LONG = 1 << 22;

  private MatrixOps() {}

  /// See [Tensor#outer].
  public static Tensor outer(Tensor a, Tensor b) {
    if (a.shape().rank() != 1 || b.shape().rank() != 1) {
      throw new ShapeException(
          "outer", a.shape() + " and " + b.shape() + "; expected one axis each, such as [m], [n]");
    }
    return a.unsqueeze(1).mul(b.unsqueeze(0));
  }

  /// See [Tensor#diag].
  public static Tensor diag(Tensor x, int diagonal) {
    return switch (x.shape().rank()) {
      case 1 -> ofDiagonal(x, diagonal);
      case 2 -> diagonal("diag", x, diagonal);
      default ->
          throw new ShapeException(
              "diag",
              "%s has %d axes; expected a matrix, or [n] to create one"
                  .formatted(x.shape(), x.shape().rank()));
    };
  }

  /// Returns the values on a diagonal of a matrix.
  private static Tensor diagonal(String operation, Tensor x, int diagonal) {
    int rows = x.shape().size(0);
    int columns = x.shape().size(1);
    if (diagonal < -rows || diagonal > columns) {
      throw new ShapeException(
          operation,
          "%s has no diagonal %d; it has %d to %d".formatted(x.shape(), diagonal, -rows, columns));
    }
    int first = diagonal < 0 ? -diagonal * columns : diagonal;
    int size = Math.min(rows + Math.min(diagonal, 0), columns - Math.max(diagonal, 0));
    long[] places = new long[size];
    Arrays.setAll(places, i -> first + (long) i * (columns + 1));
    return x.reshape(-1).indexSelect(0, Tensor.ofLongs(places));
  }

  /// Returns the matrix with these values on a diagonal and zeros of the same type elsewhere.
  private static Tensor ofDiagonal(Tensor x, int diagonal) {
    int values = x.shape().size(0);
    int size = values + Math.abs(diagonal);
    long[] places = new long[Shape.of(size, size).elements()];
    Arrays.fill(places, values);
    int first = diagonal < 0 ? -diagonal * size : diagonal;
    for (int i = 0; i < values; i++) {
      places[first + i * (size + 1)] = i;
    }
    Tensor zero = Tensor.full(Shape.of(1), x.dtype(), 0);
    return Tensor.concatenate(List.of(x, zero), 0)
        .indexSelect(0, Tensor.ofLongs(places))
        .reshape(size, size);
  }

  /// See [Tensor#trace].
  public static Tensor trace(Tensor x) {
    if (x.shape().rank() != 2) {
      throw new ShapeException("trace", x.shape() + " is not a matrix of two axes");
    }
    Compute.requireFloating("trace", x);
    return diagonal("trace", x, 0).sum();
  }

  /// See [Tensor#tril].
  public static Tensor tril(Tensor x, int diagonal) {
    return new Triangle("tril", false, diagonal).applied(x);
  }

  /// See [Tensor#triu].
  public static Tensor triu(Tensor x, int diagonal) {
    return new Triangle("triu", true, diagonal).applied(x);
  }

  /// Keeps the values on a diagonal and on one side of it, and zeroes the others.
  private record Triangle(String name, boolean upper, int diagonal) implements Operation {
    Tensor applied(Tensor x) {
      if (x.shape().rank() < 2) {
        throw new ShapeException(name, x.shape() + " has no matrices: expected at least two axes");
      }
      return apply(x);
    }

    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      int rows = x.shape().size(-2);
      int columns = x.shape().size(-1);
      HeapStorage values = HeapStorage.zeros(x.dtype(), x.shape().elements());
      for (int row = 0, at = 0; at < x.shape().elements(); row++, at += columns) {
        long turn = (long) row % rows + diagonal;
        int first = upper ? Math.clamp(turn, 0, columns) : 0;
        int end = upper ? columns : Math.clamp(turn + 1, 0, columns);
        x.heap().copyTo(at + first, values, at + first, end - first);
      }
      return Tensor.ofStorage(x.shape(), values);
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> new Tensor[] {apply(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Trilu")
          .with("upper", upper ? 1 : 0)
          .of(inputs[0], OnnxValue.number(diagonal));
    }
  }

  /// See [Tensor#einsum].
  public static Tensor einsum(String equation, Tensor... operands) {
    return Einsum.of(equation, operands);
  }

  /// See [Tensor#matmul].
  public static Tensor matmul(Tensor a, Tensor b) {
    requireProduct(a, b);
    if (a.shape().rank() == 1) {
      return matmul(a.unsqueeze(0), b).squeeze(b.shape().rank() == 1 ? 0 : -2);
    }
    if (b.shape().rank() == 1) {
      return matmul(a, b.unsqueeze(1)).squeeze(-1);
    }
    if (b.shape().rank() > 2) {
      return BatchedMatmul.of(a, b);
    }
    int[] sizes = a.shape().toArray();
    int inner = sizes[sizes.length - 1];
    int rows = Shape.of(Arrays.copyOf(sizes, sizes.length - 1)).elements();
    sizes[sizes.length - 1] = b.shape().size(1);
    Tensor matrix = sizes.length == 2 ? a : a.reshape(rows, inner);
    MatmulShape shape = MatmulShape.of(rows, b.shape().size(1), inner);
    Tensor product = new Matmul(shape).apply(matrix, b);
    return sizes.length == 2 ? product : product.reshape(sizes);
  }

  private static void requireProduct(Tensor a, Tensor b) {
    Compute.requireOneType("matmul", a, b);
    for (Tensor x : new Tensor[] {a, b}) {
      if (x.shape().rank() == 0) {
        throw new ShapeException("matmul", "a scalar has no rows or columns; use mul");
      }
    }
    int left = a.shape().size(-1);
    int right = b.shape().size(b.shape().rank() == 1 ? 0 : -2);
    if (left != right) {
      throw new ShapeException(
          "matmul",
          "%s cannot multiply %s: inner sizes %d and %d differ"
              .formatted(a.shape(), b.shape(), left, right));
    }
  }

  /// The derivative of a product consists of two products, each with one transposed factor.
  private record Matmul(MatmulShape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Object a = array(inputs[0]);
      Object b = array(inputs[1]);
      return Compute.result(
          inputs[0], Shape.of(shape.rows(), shape.columns()), (k, c) -> k.matmul(shape, a, b, c));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Matmul.Saved(shape, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return shape.transposeA() || shape.transposeB()
          ? operator("Gemm")
              .with("transA", shape.transposeA() ? 1 : 0)
              .with("transB", shape.transposeB() ? 1 : 0)
              .of(inputs[0], inputs[1])
          : operator("MatMul").of(inputs[0], inputs[1]);
    }

    private record Saved(MatmulShape shape, Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return gradients(shape, a, b, gradient, needed, MatrixOps::product);
      }

      @Override
      public boolean isSeparable() {
        return shape.multiplications() >= LONG;
      }
    }
  }

  private static Tensor product(MatmulShape shape, Tensor a, Tensor b) {
    return new Matmul(shape).inBackward(a, b);
  }

  /// Multiplies matrices.
  @FunctionalInterface
  interface Product {
    Tensor of(MatmulShape shape, Tensor a, Tensor b);
  }

  /// Returns the gradients of the factors of `a · b`: `gradient · bᵀ` and `aᵀ · gradient`.
  /// At most one factor may be transposed; its gradient is then transposed, too.
  static @Nullable Tensor[] gradients(
      MatmulShape shape, Tensor a, Tensor b, Tensor gradient, boolean[] needed, Product product) {
    int rows = shape.rows();
    int columns = shape.columns();
    int inner = shape.inner();
    @Nullable Tensor[] gradients = new Tensor[2];
    if (needed[0] && shape.transposeA()) {
      gradients[0] =
          product.of(MatmulShape.of(inner, rows, columns).withTransposedB(), b, gradient);
    } else if (needed[0]) {
      MatmulShape byA = MatmulShape.of(rows, inner, columns);
      gradients[0] = product.of(shape.transposeB() ? byA : byA.withTransposedB(), gradient, b);
    }
    if (needed[1] && shape.transposeB()) {
      gradients[1] =
          product.of(MatmulShape.of(columns, inner, rows).withTransposedA(), gradient, a);
    } else if (needed[1]) {
      MatmulShape byB = MatmulShape.of(inner, columns, rows);
      gradients[1] = product.of(shape.transposeA() ? byB : byB.withTransposedA(), a, gradient);
    }
    return gradients;
  }

  /// See [Tensor#linear].
  public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    requireLinear(x.shape(), weight.shape(), bias.shape());
    Compute.requireOneType("linear", x, weight, bias);
    int outputs = weight.shape().size(0);
    int inputs = weight.shape().size(1);
    int[] sizes = x.shape().toArray();
    int rows = Shape.of(Arrays.copyOf(sizes, sizes.length - 1)).elements();
    Tensor matrix = sizes.length == 2 ? x : x.reshape(rows, inputs);
    Tensor y = new Linear(rows, outputs, inputs).apply(matrix, weight, bias);
    sizes[sizes.length - 1] = outputs;
    return sizes.length == 2 ? y : y.reshape(sizes);
  }

  private static void requireLinear(Shape x, Shape weight, Shape bias) {
    if (weight.rank() != 2) {
      throw new ShapeException("linear", "weight " + weight + " is not a matrix of two axes");
    }
    if (x.rank() == 0 || x.size(-1) != weight.size(1)) {
      throw new ShapeException(
          "linear",
          "%s does not fit weight %s: %s inputs, %d expected"
              .formatted(x, weight, x.rank() == 0 ? "no" : x.size(-1), weight.size(1)));
    }
    if (!bias.equals(Shape.of(weight.size(0)))) {
      throw new ShapeException("linear", "bias " + bias + " does not fit weight " + weight);
    }
  }

  private record Linear(int rows, int outputs, int inputs) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      MatmulShape shape = MatmulShape.of(rows, outputs, this.inputs).withTransposedB();
      Object x = array(inputs[0]);
      Object weight = array(inputs[1]);
      Object bias = array(inputs[2]);
      return Compute.result(
          inputs[0], Shape.of(rows, outputs), (k, y) -> k.affine(shape, x, weight, bias, y));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Linear.Saved(of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Gemm").with("transB", 1).of(inputs[0], inputs[1], inputs[2]);
    }

    private record Saved(Tensor x, Tensor weight) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? xGradient(gradient) : null,
          needed[1] ? weightGradient(gradient) : null,
          needed[2] ? Broadcast.reduce(gradient, Shape.of(weight.shape().size(0))) : null
        };
      }

      @Override
      public boolean isSeparable() {
        return (long) x.shape().elements() * weight.shape().size(0) >= LONG;
      }

      /// Returns `gradient · weight`.
      private Tensor xGradient(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(x.shape().size(0), x.shape().size(1), weight.shape().size(0));
        return product(shape, gradient, weight);
      }

      /// Returns `gradientᵀ · x`.
      private Tensor weightGradient(Tensor gradient) {
        MatmulShape shape =
            MatmulShape.of(weight.shape().size(0), weight.shape().size(1), x.shape().size(0))
                .withTransposedA();
        return product(shape, gradient, x);
      }
    }
  }
}
