// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/// Takes a message that protobuf writes. Long values are not copied, but stay in the arrays that
/// they are in.
final class ScatteredOutput extends OutputStream {
  /// Bytes of the buffer that protobuf is to gather short values in. It uses that again; an array
  /// of which more comes at once is a value's own, which never changes.
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

  /// All that was written.
  ByteBuf together() {
    pieces.add(shorts);
    return pieces.size() == 1
        ? shorts
        : Unpooled.wrappedBuffer(pieces.size(), pieces.toArray(ByteBuf[]::new));
  }
}
