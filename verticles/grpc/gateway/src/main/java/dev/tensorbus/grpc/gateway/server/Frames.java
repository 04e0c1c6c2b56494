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

/// gRPC's messages in HTTP/2's data: each after a byte that says whether it is compressed, and
/// its length in four.
final class Frames {
  static final int PREFIX = 1 + Integer.BYTES;

  private final int maxBytes;
  private final Consumer<ByteString> messages;

  /// The bytes of messages that are not complete yet. A rope: nothing is copied here.
  private ByteString rest = ByteString.EMPTY;

  /// @param maxBytes of one message
  /// @param messages takes them
  Frames(int maxBytes, Consumer<ByteString> messages) {
    this.maxBytes = maxBytes;
    this.messages = messages;
  }

  /// Takes the next data, cut anywhere.
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

  /// Whether no message has begun.
  boolean isEmpty() {
    return rest.isEmpty();
  }

  /// Drops what has come.
  void clear() {
    rest = ByteString.EMPTY;
  }

  private int requireLength() {
    if (rest.byteAt(0) != 0) {
      throw new GrpcStatusException(
          Reason.NOT_SPOKEN, "expected protobuf messages that are not compressed");
    }
    ByteBuffer prefix = ByteBuffer.wrap(rest.substring(0, PREFIX).toByteArray());
    long length = Integer.toUnsignedLong(prefix.getInt(1));
    if (length > maxBytes) {
      throw new GrpcStatusException(
          Reason.MESSAGE_TOO_LARGE,
          ("a message of %d bytes; expected at most %d, which --grpc-max-message changes; send"
                  + " tensors in smaller parts")
              .formatted(length, maxBytes));
    }
    return (int) length;
  }

  /// A message as it travels.
  static Buffer of(MessageLite message) {
    ScatteredOutput pieces = new ScatteredOutput();
    pieces.write(0);
    pieces.writeInt(message.getSerializedSize());
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(pieces, ScatteredOutput.SHORT);
      message.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all that is written", e);
    }
    return BufferInternal.buffer(pieces.together()); // Buffer.buffer would copy them
  }
}
