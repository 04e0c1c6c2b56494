// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A tensor in off-heap memory.
final class NativeTensor implements AutoCloseable {
  /// The alignment in bytes that vector instructions prefer.
  private static final int ALIGNMENT = 64;

  private final DType type;
  private final Shape shape;
  private final MemorySegment memory;
  private final OnnxTensor tensor;

  /// The array copied last. Arrays never change, so the same array need not be copied again.
  private @Nullable Object present;

  NativeTensor(GraphValue value, Arena arena) throws OrtException {
    type = value.type();
    shape = Shape.of(value.sizes().stream().mapToInt(Integer::parseInt).toArray());
    long size = Math.max(1, (long) shape.elements() * type.bytes());
    memory = arena.allocate(size, ALIGNMENT);
    tensor = onnx();
  }

  private OnnxTensor onnx() throws OrtException {
    OrtEnvironment environment = OnnxRuntime.environment();
    long[] sizes = new long[shape.rank()];
    for (int axis = 0; axis < sizes.length; axis++) {
      sizes[axis] = shape.size(axis);
    }
    ByteBuffer bytes =
        memory
            .asSlice(0, (long) shape.elements() * type.bytes())
            .asByteBuffer()
            .order(ByteOrder.nativeOrder());
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

  /// Copies values into this memory.
  @SuppressWarnings("ReferenceEquality") // compares identities
  void put(HeapStorage values) {
    if (present != values.array()) {
      present = values.array();
      values.write(0, values.length(), memory, 0, ByteOrder.nativeOrder());
    }
  }

  /// Copies the values into a tensor.
  Tensor get() {
    HeapStorage values = HeapStorage.zeros(type, shape.elements());
    values.read(memory, 0, ByteOrder.nativeOrder(), 0, values.length());
    return Tensor.ofStorage(shape, values);
  }

  @Override
  public void close() {
    tensor.close();
  }
}
