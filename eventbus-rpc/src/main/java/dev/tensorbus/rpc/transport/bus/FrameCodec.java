// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/// Encodes and decodes frames for the event bus. Vert.x occupies the connection while it encodes,
/// so encoding only copies the bytes.
public final class FrameCodec implements MessageCodec<Frame, Received> {
  /// The name under which the codec is registered.
  public static final String NAME = "tensorbus.frame";

  /// The version of Vert.x's message format: the first byte of a message.
  private static final int ENVELOPE = 2;

  /// The value of the codec byte if the name of the codec follows.
  private static final int NAMED = -1;

  /// Creates the codec.
  public FrameCodec() {}

  @Override
  public void encodeToWire(Buffer buffer, Frame frame) {
    if (!frame.handedOver().isEmpty()) {
      throw new IllegalStateException("tensors are handed over within one Vertx only");
    }
    buffer.appendInt(frame.bytes().length).appendBytes(frame.bytes());
  }

  @Override
  public Received decodeFromWire(int position, Buffer buffer) {
    int start = position + Integer.BYTES;
    byte[] bytes = buffer.getBytes(start, start + buffer.getInt(position));
    return new Received(new Frame(bytes), node(buffer));
  }

  /// Returns the cluster node that sent a message. Vert.x does not expose the node but passes the
  /// whole message to the codec: version, codec (a byte, followed by a name if it is -1), kind,
  /// address, reply address, node, headers, body.
  ///
  /// @throws WireException if another version of Vert.x sent the message
  private static String node(Buffer message) {
    if (message.getByte(0) != ENVELOPE || message.getByte(1) != NAMED) {
      throw new WireException(
          "message in format "
              + message.getByte(0)
              + " of Vert.x; this worker uses format "
              + ENVELOPE
              + ": start all workers from the same build",
          null);
    }
    int kind = afterString(message, 2);
    int replyAddress = afterString(message, kind + 1);
    int node = afterString(message, replyAddress);
    return message.getString(node + Integer.BYTES, afterString(message, node));
  }

  private static int afterString(Buffer message, int position) {
    return position + Integer.BYTES + message.getInt(position);
  }

  /// Frames are immutable, so a worker on the same Vertx gets the same object.
  @Override
  public Received transform(Frame frame) {
    return new Received(frame, null);
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
