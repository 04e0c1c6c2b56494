// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A value outside the heap.
final class NativeTensor implements AutoCloseable {
  /// The alignment that vector instructions like.
  private static final int ALIGNMENT = 64;

  private final DType type;
  private final Shape shape;
  private final ByteBuffer bytes;
  private final OnnxTensor tensor;

  /// The array that was copied here last. Values never change, so it need not be copied again.
  private @Nullable Object present;

  NativeTensor(GraphValue value, Arena arena) throws OrtException {
    type = value.type();
    shape = Shape.of(value.sizes().stream().mapToInt(Integer::parseInt).toArray());
    long size = Math.max(1, (long) shape.elements() * type.bytes());
    bytes = arena.allocate(size, ALIGNMENT).asByteBuffer().order(ByteOrder.nativeOrder());
    bytes.limit(shape.elements() * type.bytes());
    tensor = onnx();
  }

  private OnnxTensor onnx() throws OrtException {
    OrtEnvironment environment = OnnxRuntime.environment();
    long[] sizes = new long[shape.rank()];
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = shape.size(axis);
    }
    return switch (type) {
      case FLOAT32 -> OnnxTensor.createTensor(environment, bytes.asFloatBuffer(), sizes);
      case FLOAT64 -> OnnxTensor.createTensor(environment, bytes.asDoubleBuffer(), sizes);
      case BFLOAT16 -> OnnxTensor.createTensor(environment, bytes, sizes, OnnxJavaType.BFLOAT16);
      case INT64 -> OnnxTensor.createTensor(environment, bytes.asLongBuffer(), sizes);
      case BOOL -> OnnxTensor.createTensor(environment, bytes, sizes, OnnxJavaType.BOOL);
    };
  }

  OnnxTensor tensor() {
    return tensor;
  }

  /// Copies an array here.
  @SuppressWarnings("ReferenceEquality") // The very array.
  void put(Object storage) {
    if (present == storage) {
      return;
    }
    present = storage;
    switch (storage) {
      case float[] values -> bytes.asFloatBuffer().put(values);
      case double[] values -> bytes.asDoubleBuffer().put(values);
      case short[] values -> bytes.asShortBuffer().put(values);
      case long[] values -> bytes.asLongBuffer().put(values);
      default -> {
        boolean[] values = (boolean[]) storage;
        for (int i = 0; i < values.length; i++) {
          bytes.put(i, (byte) (values[i] ? 1 : 0));
        }
      }
    }
  }

  /// Copies these values to a tensor of ours.
  Tensor get() {
    Object storage = type.newArray(shape.elements());
    switch (storage) {
      case float[] values -> bytes.asFloatBuffer().get(values);
      case double[] values -> bytes.asDoubleBuffer().get(values);
      case short[] values -> bytes.asShortBuffer().get(values);
      case long[] values -> bytes.asLongBuffer().get(values);
      default -> {
        boolean[] values = (boolean[]) storage;
        for (int i = 0; i < values.length; i++) {
          values[i] = bytes.get(i) != 0;
        }
      }
    }
    return Tensor.ofStorage(shape, storage);
  }

  @Override
  public void close() {
    tensor.close();
  }
}
