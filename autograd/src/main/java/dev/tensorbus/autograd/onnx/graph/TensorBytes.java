// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Tensors as ONNX keeps them: a number for the type, values in little-endian order.
final class TensorBytes {
  private TensorBytes() {}

  /// The type's number in TensorProto.DataType.
  static int code(DType type) {
    return switch (type) {
      case FLOAT32 -> 1;
      case INT64 -> 7;
      case BOOL -> 9;
      case FLOAT64 -> 11;
      case BFLOAT16 -> 16;
    };
  }

  static byte[] of(Tensor tensor) {
    byte[] bytes = new byte[Math.multiplyExact(tensor.shape().elements(), tensor.dtype().bytes())];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (tensor.storage()) {
      case float[] values -> buffer.asFloatBuffer().put(values);
      case double[] values -> buffer.asDoubleBuffer().put(values);
      case short[] values -> buffer.asShortBuffer().put(values);
      case long[] values -> buffer.asLongBuffer().put(values);
      default -> {
        for (boolean value : tensor.booleans()) {
          buffer.put((byte) (value ? 1 : 0));
        }
      }
    }
    return bytes;
  }
}
