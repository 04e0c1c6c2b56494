// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// ONNX's encoding of tensors: a code for the type, and the values in little-endian order.
public final class TensorBytes {
  private TensorBytes() {}

  /// Returns the code of a type in TensorProto.DataType.
  public static int code(DType type) {
    return switch (type) {
      case FLOAT32 -> 1;
      case INT64 -> 7;
      case BOOL -> 9;
      case FLOAT64 -> 11;
      case BFLOAT16 -> 16;
    };
  }

  static byte[] of(Tensor tensor) {
    int count = tensor.shape().elements();
    byte[] bytes = new byte[Math.multiplyExact(count, tensor.dtype().bytes())];
    tensor.heap().write(0, count, MemorySegment.ofArray(bytes), 0, ByteOrder.LITTLE_ENDIAN);
    return bytes;
  }
}
