// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/// Puts a frame's bytes on the event bus. Vert.x runs the encoder while it holds the connection,
/// so this only copies.
public final class FrameCodec implements MessageCodec<Frame, Frame> {
  /// The name under which the codec is registered.
  public static final String NAME = "tensorbus.frame";

  /// Makes the codec.
  public FrameCodec() {}

  @Override
  public void encodeToWire(Buffer buffer, Frame frame) {
    if (!frame.handedOver().isEmpty()) {
      throw new IllegalStateException("tensors are handed over within one Vertx only");
    }
    buffer.appendInt(frame.bytes().length).appendBytes(frame.bytes());
  }

  @Override
  public Frame decodeFromWire(int position, Buffer buffer) {
    int start = position + Integer.BYTES;
    return new Frame(buffer.getBytes(start, start + buffer.getInt(position)));
  }

  /// Frames never change, so a worker in the same JVM gets the same one.
  @Override
  public Frame transform(Frame frame) {
    return frame;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
