// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Splits HTTP/2 data into gRPC messages. Each message is preceded by one byte that says whether it
/// is compressed, and four bytes with its length.
final class Frames {
  static final int PREFIX = 1 + Integer.BYTES;

  private final int maxBytes;
  private final Consumer<ByteString> messages;

  /// The bytes of an incomplete message, as a rope to avoid copies.
  private ByteString rest = ByteString.EMPTY;

  /// @param maxBytes maximum size of a message
  /// @param messages receives the messages
  Frames(int maxBytes, Consumer<ByteString> messages) {
    this.maxBytes = maxBytes;
    this.messages = messages;
  }

  /// Adds data, which may end in the middle of a message.
  ///
  /// @throws GrpcStatusException if a message is too large or compressed
  void add(ByteString data) {
    rest = rest.concat(data);
    while (rest.size() >= PREFIX) {
      int end = PREFIX + requireLength();
      if (rest.size() < end) {
        return;
      }
      messages.accept(rest.substring(PREFIX, end));
      rest = rest.substring(end);
    }
  }

  /// Returns whether all received messages are complete.
  boolean isEmpty() {
    return rest.isEmpty();
  }

  /// Discards the incomplete message.
  void clear() {
    rest = ByteString.EMPTY;
  }

  private int requireLength() {
    if (rest.byteAt(0) != 0) {
      throw new GrpcStatusException(
          Reason.NOT_SPOKEN, "only uncompressed protobuf messages are supported");
    }
    ByteBuffer prefix = ByteBuffer.wrap(rest.substring(0, PREFIX).toByteArray());
    long length = Integer.toUnsignedLong(prefix.getInt(1));
    if (length > maxBytes) {
      throw new GrpcStatusException(
          Reason.MESSAGE_TOO_LARGE,
          ("a message of %d bytes; expected at most %d (--grpc-max-message); send tensors in"
                  + " smaller parts")
              .formatted(length, maxBytes));
    }
    return (int) length;
  }

  /// Encodes a message with its prefix.
  static Buffer of(MessageLite message) {
    ScatteredOutput pieces = new ScatteredOutput();
    pieces.write(0);
    pieces.writeInt(message.getSerializedSize());
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(pieces, ScatteredOutput.SHORT);
      message.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("unexpected I/O error in memory", e);
    }
    return BufferInternal.buffer(pieces.together()); // Buffer.buffer would copy them
  }
}
