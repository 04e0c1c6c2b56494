// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/// Collects the output of protobuf without copying large values, which stay in their arrays.
final class ScatteredOutput extends OutputStream {
  /// The size of the buffer in which protobuf collects short values, and which it reuses. A longer
  /// array therefore holds a single value and never changes.
  static final int SHORT = 1024;

  private final List<ByteBuf> pieces = new ArrayList<>();
  private ByteBuf shorts = Unpooled.buffer();

  @Override
  public void write(int value) {
    shorts.writeByte(value);
  }

  void writeInt(int value) {
    shorts.writeInt(value);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    if (length <= SHORT) {
      shorts.writeBytes(bytes, from, length);
    } else {
      pieces.add(shorts);
      pieces.add(Unpooled.wrappedBuffer(bytes, from, length));
      shorts = Unpooled.buffer();
    }
  }

  /// Returns all output.
  ByteBuf together() {
    pieces.add(shorts);
    return pieces.size() == 1
        ? shorts
        : Unpooled.wrappedBuffer(pieces.size(), pieces.toArray(ByteBuf[]::new));
  }
}
