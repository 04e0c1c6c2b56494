// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Elementwise arithmetic.
public final class ArithmeticOps {
  private ArithmeticOps() {}

  /// See [Tensor#scale].
  public static Tensor scale(Tensor x, double factor) {
    Compute.requireFloating("scale", x);
    return new Scale(factor).apply(x);
  }

  private record Scale(double factor) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, x.shape(), (k, product) -> k.scale(array(x), factor, product));
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> new Tensor[] {inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Mul").of(inputs[0], inputs[0].number(factor));
    }
  }

  /// See [Tensor#add].
  public static Tensor add(Tensor a, Tensor b) {
    SparseRows rowsOfA = a.sparseRows();
    SparseRows rowsOfB = b.sparseRows();
    boolean isRecorded = a.requiresGrad() || b.requiresGrad() || Trace.isOn();
    if (rowsOfA != null && rowsOfB != null && rowsOfA.fits(rowsOfB) && !isRecorded) {
      return Tensor.ofRows(SparseRows.sum(List.of(rowsOfA, rowsOfB)));
    }
    boolean isPart = a.dtype() == b.dtype() && a.shape().equals(b.shape()) && !isRecorded;
    return isPart && b.layout() instanceof Scattered part ? sum(a, part) : binary(new Add(), a, b);
  }

  /// Adds scattered values, such as the gradient of a slice, to a copy of `a`.
  private static Tensor sum(Tensor a, Scattered part) {
    HeapStorage sums = a.heap().copy();
    part.addTo(sums);
    return Tensor.ofStorage(a.shape(), sums);
  }

  private record Add() implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return combined("add", Arithmetic::add, Arithmetic::addRows, inputs[0], inputs[1]);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Add.Saved(of.shape(0), of.shape(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Add").of(inputs[0], inputs[1]);
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
    public Tensor value(Tensor... inputs) {
      return combined("sub", Arithmetic::subtract, inputs[0], inputs[1]);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Sub.Saved(of.shape(0), of.shape(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Sub").of(inputs[0], inputs[1]);
    }

    private record Saved(Shape a, Shape b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(gradient, a) : null,
          needed[1] ? Broadcast.reduce(new Scale(-1).inBackward(gradient), b) : null
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
    public Tensor value(Tensor... inputs) {
      return combined("mul", Arithmetic::multiply, Arithmetic::scaleRows, inputs[0], inputs[1]);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Mul.Saved(of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Mul").of(inputs[0], inputs[1]);
    }

    private record Saved(Tensor a, Tensor b) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(new Mul().inBackward(gradient, b), a.shape()) : null,
          needed[1] ? Broadcast.reduce(new Mul().inBackward(gradient, a), b.shape()) : null
        };
      }
    }
  }

  /// See [Tensor#div].
  public static Tensor div(Tensor a, Tensor b) {
    return binary(new Div(), a, b);
  }

  private record Div() implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return combined("div", Arithmetic::divide, inputs[0], inputs[1]);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Div.Saved(of.shape(0), of.input(1), of.result());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Div").of(inputs[0], inputs[1]);
    }

    private record Saved(Shape a, Tensor b, Tensor quotient) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor byA = new Div().inBackward(gradient, b);
        return new Tensor[] {
          needed[0] ? Broadcast.reduce(byA, a) : null,
          needed[1] ? Broadcast.reduce(byB(byA), b.shape()) : null
        };
      }

      private Tensor byB(Tensor byA) {
        return new Scale(-1).inBackward(new Mul().inBackward(byA, quotient));
      }
    }
  }

  /// See [Tensor#addScalar] and [Tensor#subScalar].
  public static Tensor addScalar(Tensor x, double term) {
    Compute.requireFloating("addScalar", x);
    return add(x, Tensor.full(Shape.SCALAR, x.dtype(), term));
  }

  /// See [Tensor#rsubScalar].
  public static Tensor rsubScalar(Tensor x, double number) {
    Compute.requireFloating("rsubScalar", x);
    return sub(Tensor.full(Shape.SCALAR, x.dtype(), number), x);
  }

  /// See [Tensor#divScalar].
  public static Tensor divScalar(Tensor x, double divisor) {
    Compute.requireFloating("divScalar", x);
    return div(x, Tensor.full(Shape.SCALAR, x.dtype(), divisor));
  }

  /// A kernel that combines two arrays. The second may be a single row, which is then combined with
  /// each row of the first.
  @FunctionalInterface
  private interface Combination {
    void run(Arithmetic<Object> kernels, Object a, Object b, Object result);
  }

  private static Tensor combined(String operation, Combination kernel, Tensor a, Tensor b) {
    Shape shape = Broadcast.shape(operation, a.shape(), b.shape());
    Object first = array(Broadcast.expand(a, shape));
    Object second = array(Broadcast.rows(b, shape));
    return Compute.result(a, shape, (k, values) -> kernel.run(k, first, second, values));
  }

  /// Combines two tensors. Uses `byRow` if the second has one value for each row of the first, such
  /// as one for each channel of images.
  private static Tensor combined(
      String operation, Combination kernel, Combination byRow, Tensor a, Tensor b) {
    Tensor each = a.shape().equals(b.shape()) ? null : Broadcast.oneForEachRow(b, a.shape());
    if (each == null) {
      return combined(operation, kernel, a, b);
    }
    return Compute.result(a, a.shape(), (k, values) -> byRow.run(k, array(a), array(each), values));
  }

  private static Tensor binary(Operation operation, Tensor a, Tensor b) {
    Broadcast.shape(operation.name(), a.shape(), b.shape());
    return operation.apply(TypeOps.together(operation.name(), a, b));
  }
}
