// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Converts values to bytes on the wire: little-endian, one byte per boolean.
final class Bytes {
  private Bytes() {}

  /// Encodes values.
  ///
  /// @param storage a tensor's array
  /// @param size of one value, in bytes
  static ByteString of(Object storage, int from, int count, int size) {
    byte[] bytes = new byte[count * size];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (storage) {
      case float[] floats -> out.asFloatBuffer().put(floats, from, count);
      case double[] doubles -> out.asDoubleBuffer().put(doubles, from, count);
      case long[] longs -> out.asLongBuffer().put(longs, from, count);
      default -> put((boolean[]) storage, from, out);
    }
    return UnsafeByteOperations.unsafeWrap(bytes); // nobody else references the array
  }

  private static void put(boolean[] values, int from, ByteBuffer out) {
    for (int i = from; out.hasRemaining(); i++) {
      out.put((byte) (values[i] ? 1 : 0));
    }
  }

  /// Decodes values into an array.
  static void copy(ByteString values, Object storage, int to, int count) {
    ByteBuffer in = values.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    switch (storage) {
      case float[] floats -> in.asFloatBuffer().get(floats, to, count);
      case double[] doubles -> in.asDoubleBuffer().get(doubles, to, count);
      case long[] longs -> in.asLongBuffer().get(longs, to, count);
      default -> get(in, (boolean[]) storage, to);
    }
  }

  private static void get(ByteBuffer in, boolean[] values, int to) {
    for (int i = to; in.hasRemaining(); i++) {
      values[i] = in.get() != 0;
    }
  }
}
