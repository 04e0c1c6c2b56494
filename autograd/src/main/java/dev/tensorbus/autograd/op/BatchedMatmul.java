// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Products of batches of matrices: `[batch, rows, inner]` by `[batch, inner, columns]`.
record BatchedMatmul(int batch, MatmulShape shape) implements Operation {
  /// Multiplies the matrices in the last two axes; the leading axes are broadcast.
  static Tensor of(Tensor a, Tensor b) {
    Shape before = Broadcast.shape("matmul", batches(a.shape()), batches(b.shape()));
    int rows = a.shape().size(-2);
    int inner = a.shape().size(-1);
    int columns = b.shape().size(-1);
    int batch = before.elements();
    Tensor left = expanded(a, before, rows, inner).reshape(batch, rows, inner);
    Tensor right = expanded(b, before, inner, columns).reshape(batch, inner, columns);
    MatmulShape shape = MatmulShape.of(rows, columns, inner);
    return new BatchedMatmul(batch, shape)
        .apply(left, right)
        .reshape(with(before, rows, columns).toArray());
  }

  private static Shape batches(Shape shape) {
    return Shape.of(Arrays.copyOf(shape.toArray(), shape.rank() - 2));
  }

  private static Tensor expanded(Tensor x, Shape before, int rows, int columns) {
    Shape whole = with(before, rows, columns);
    return whole.equals(x.shape()) ? x : x.expand(whole.toArray());
  }

  private static Shape with(Shape before, int rows, int columns) {
    int[] sizes = Arrays.copyOf(before.toArray(), before.rank() + 2);
    sizes[before.rank()] = rows;
    sizes[before.rank() + 1] = columns;
    return Shape.of(sizes);
  }

  @Override
  public String name() {
    return "matmul";
  }

  @Override
  public Tensor value(Tensor... inputs) {
    Object a = array(inputs[0]);
    Object b = array(inputs[1]);
    return Compute.result(
        inputs[0],
        Shape.of(batch, shape.rows(), shape.columns()),
        (k, c) -> k.matmuls(batch, shape, a, b, c));
  }

  @Override
  public Derivative derivative(Application of) {
    return new Saved(batch, shape, of.input(0), of.input(1));
  }

  @Override
  public OnnxValue onnx(OnnxValue.Input... inputs) {
    return operator("MatMul")
        .of(transposed(shape.transposeA(), inputs[0]), transposed(shape.transposeB(), inputs[1]));
  }

  private static OnnxValue transposed(boolean isTransposed, OnnxValue matrices) {
    return isTransposed ? operator("Transpose").with("perm", 0, 2, 1).of(matrices) : matrices;
  }

  private record Saved(int batch, MatmulShape shape, Tensor a, Tensor b) implements Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      return MatrixOps.gradients(
          shape, a, b, gradient, needed, (s, x, y) -> new BatchedMatmul(batch, s).inBackward(x, y));
    }
  }
}
