// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.List;

/// Conversion between types.
public final class TypeOps {
  private TypeOps() {}

  /// See [Tensor#to].
  public static Tensor to(Tensor x, DType type) {
    if (x.dtype() == type) {
      return x;
    }
    return type.isFloating()
        ? new To(type).apply(x)
        : Trace.run(new Rounded(type), () -> converted(x, type), x);
  }

  /// Returns the promoted type of two tensors: the later one in [DType]'s order. A float64 scalar
  /// does not promote a float32 tensor. Like torch's promotion, except that a scalar promotes
  /// bfloat16, which has no arithmetic.
  static DType promoted(Tensor a, Tensor b) {
    if (a.dtype().isFloating() && b.dtype().isFloating()) {
      if (a.shape().rank() == 0 && b.shape().rank() > 0) {
        return b.dtype();
      }
      if (b.shape().rank() == 0 && a.shape().rank() > 0) {
        return a.dtype();
      }
    }
    return a.dtype().compareTo(b.dtype()) >= 0 ? a.dtype() : b.dtype();
  }

  /// Converts both tensors to their promoted type, which must be floating-point.
  static Tensor[] together(String operation, Tensor a, Tensor b) {
    DType type = promoted(a, b);
    if (!type.isFloating()) {
      Compute.requireFloating(operation, a, b);
    }
    return new Tensor[] {to(a, type), to(b, type)};
  }

  /// Returns the values to sum, which may be integers. A mask is converted to 1 and 0, as in torch.
  public static Tensor summands(String operation, Tensor x) {
    Tensor numbers = x.dtype() == DType.BOOL ? to(x, DType.INT64) : x;
    if (numbers.dtype() != DType.INT64) {
      Compute.requireFloating(operation, numbers);
    }
    return numbers;
  }

  private record To(DType type) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return converted(inputs[0], type);
    }

    @Override
    public Derivative derivative(Application of) {
      DType before = of.type(0);
      return (gradient, needed) -> new Tensor[] {to(gradient, before)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return inputs[0].cast(type);
    }
  }

  /// Converts to a type without gradients.
  private record Rounded(DType type) implements Traceable {
    @Override
    public String name() {
      return "to";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      return List.of(inputs[0].cast(type));
    }
  }

  private static Tensor converted(Tensor x, DType type) {
    HeapStorage values = x.heap();
    return Tensor.ofStorage(
        x.shape(),
        switch (type) {
          case FLOAT32 -> HeapStorage.of(values.toFloats());
          case FLOAT64 -> HeapStorage.of(values.toDoubles());
          case BFLOAT16 -> HeapStorage.of(bfloat16(values.toFloats()));
          case INT64 -> HeapStorage.of(longs(values.toDoubles()));
          case BOOL -> HeapStorage.of(booleans(values.toDoubles()));
        });
  }

  private static short[] bfloat16(float... values) {
    short[] rounded = new short[values.length];
    Kernels.best().roundToBfloat16(values, rounded);
    return rounded;
  }

  private static long[] longs(double... values) {
    long[] whole = new long[values.length];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = (long) values[i];
    }
    return whole;
  }

  private static boolean[] booleans(double... values) {
    boolean[] truths = new boolean[values.length];
    for (int i = 0; i < truths.length; i++) {
      truths[i] = values[i] != 0;
    }
    return truths;
  }
}
