// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.ByteString;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.function.LongConsumer;

/// A tensor of which some values have come. Its array grows with them.
final class PartialTensor {
  /// How many times the bytes that have come are believed: little is copied again, and little is
  /// taken for a tensor that never comes.
  private static final int FAITH = 8;

  private final String name;
  private final DType dtype;
  private final Shape shape;
  private final LongConsumer memory;
  private Object storage;
  private int capacity;
  private int filled;

  /// @param memory is asked for bytes before they are taken, and told, by a negative number, of
  ///     those given back
  PartialTensor(String name, DType dtype, Shape shape, LongConsumer memory) {
    this.name = name;
    this.dtype = dtype;
    this.shape = shape;
    this.memory = memory;
    this.storage = dtype.newArray(0);
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
          "%s gets %d values more; expected %d".formatted(this, count, shape.elements() - filled));
    }
    grow(filled + count);
    Bytes.copy(values, storage, filled, count);
    filled += count;
  }

  /// To [#FAITH] times what has come, and at the end to just the shape's size.
  private void grow(int needed) {
    if (needed > capacity) {
      int next = (int) Math.min(shape.elements(), (long) FAITH * needed);
      memory.accept((long) next * dtype.bytes());
      Object larger = dtype.newArray(next);
      System.arraycopy(storage, 0, larger, 0, filled);
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

  /// For errors.
  @Override
  public String toString() {
    return "tensor \"%s\" %s %s".formatted(name, dtype, shape);
  }
}
