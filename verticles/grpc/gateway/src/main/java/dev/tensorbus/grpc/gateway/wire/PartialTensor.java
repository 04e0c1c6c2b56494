// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.ByteString;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/// A tensor that is still being received. Its array grows with the received values.
final class PartialTensor {
  /// The array may be this many times larger than the received values: large enough to copy rarely,
  /// small enough to waste little memory on a tensor that never arrives.
  private static final int FAITH = 8;

  private final String name;
  private final DType dtype;
  private final Shape shape;
  private final LongConsumer memory;
  private HeapStorage storage;
  private int capacity;
  private int filled;

  /// @param memory reserves bytes before they are allocated; a negative number releases bytes
  PartialTensor(String name, DType dtype, Shape shape, LongConsumer memory) {
    this.name = name;
    this.dtype = dtype;
    this.shape = shape;
    this.memory = memory;
    this.storage = HeapStorage.zeros(dtype, 0);
  }

  long sizeInBytes() {
    return (long) shape.elements() * dtype.bytes();
  }

  void take(ByteString values) {
    int count = values.size() / dtype.bytes();
    if (count * dtype.bytes() != values.size()) {
      throw TensorReader.bad(
          "a part of %s has %d bytes; expected whole values of %d bytes each"
              .formatted(this, values.size(), dtype.bytes()));
    }
    if (count > shape.elements() - filled) {
      throw TensorReader.bad(
          "%s received %d more values; expected %d"
              .formatted(this, count, shape.elements() - filled));
    }
    grow(filled + count);
    MemorySegment bytes = MemorySegment.ofBuffer(values.asReadOnlyByteBuffer());
    storage.read(bytes, 0, ByteOrder.LITTLE_ENDIAN, filled, count);
    filled += count;
  }

  /// If the array is too small, replaces it with one of [#FAITH] times the needed size, but no
  /// larger than the whole tensor.
  private void grow(int needed) {
    if (needed > capacity) {
      int next = (int) Math.min(shape.elements(), (long) FAITH * needed);
      memory.accept((long) next * dtype.bytes());
      HeapStorage larger = HeapStorage.zeros(dtype, next);
      storage.copyTo(0, larger, 0, filled);
      memory.accept((long) -capacity * dtype.bytes());
      storage = larger;
      capacity = next;
    }
  }

  boolean isFull() {
    return filled == shape.elements();
  }

  NamedTensor tensor() {
    return new NamedTensor(name, Tensor.ofStorage(shape, storage));
  }

  /// Describes the tensor for error messages.
  @Override
  public String toString() {
    return "tensor \"%s\" %s %s".formatted(name, dtype, shape);
  }
}
