// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The messages of a request, for a method to take. While [#AHEAD] bytes of them wait nothing
/// more is read, and HTTP/2's window holds the caller back.
///
/// @param <Q> what they are
public final class Inbox<Q> {
  /// Bytes that may wait; the message that goes beyond is the last that is read.
  static final int AHEAD = 1 << 20;

  /// What a message without bytes costs, so that nobody sends them for ever.
  private static final int OVERHEAD = 64;

  private final HttpServerRequest request;
  private final Parser<Q> parser;
  private final Context context;
  private final Frames frames;
  private final BlockingQueue<Optional<ByteString>> messages = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();

  // Event loop only.
  private Runnable onFirst = () -> {};
  private Consumer<Refusal> onRefusal = refusal -> {};
  private boolean hasAll;
  private boolean isClosed;

  /// Made on the event loop that the request came on.
  ///
  /// @param parser reads a message
  /// @param maxBytes of one message
  public Inbox(HttpServerRequest request, Parser<Q> parser, int maxBytes) {
    this.request = request;
    this.parser = parser;
    this.context = Vertx.currentContext();
    this.frames = new Frames(maxBytes, this::add);
  }

  /// Begins to read.
  ///
  /// @param first runs when there is a message, or the end
  /// @param refusal gets why a message is not taken
  public void open(Runnable first, Consumer<Refusal> refusal) {
    onFirst = first;
    onRefusal = refusal;
    request.handler(this::read);
    request.endHandler(v -> end());
  }

  /// Drops what waits and what still comes.
  public void close() {
    isClosed = true;
    messages.clear();
    waiting.set(0);
    resume();
  }

  /// The request is broken; nothing more comes.
  public void fail() {
    hasAll = true;
  }

  private void read(Buffer data) {
    if (isClosed) {
      return;
    }
    try {
      frames.add(UnsafeByteOperations.unsafeWrap(((BufferInternal) data).getByteBuf().nioBuffer()));
    } catch (Refusal refusal) {
      onRefusal.accept(refusal);
    }
  }

  private void add(ByteString message) {
    put(Optional.of(message));
    if (waiting.addAndGet(cost(message)) >= AHEAD) {
      request.pause();
    }
  }

  private void put(Optional<ByteString> message) {
    messages.add(message);
    onFirst.run();
    onFirst = () -> {};
  }

  private void end() {
    hasAll = true;
    if (!isClosed) {
      put(Optional.empty());
    }
  }

  private static long cost(ByteString message) {
    return (long) OVERHEAD + message.size();
  }

  /// The next message; null after the last. Waits for it.
  ///
  /// @throws Refusal if it cannot be read
  public @Nullable Q take() throws InterruptedException {
    Optional<ByteString> next = messages.take();
    if (next.isEmpty()) {
      messages.add(next);
      return null;
    }
    ByteString message = next.get();
    long left = waiting.addAndGet(-cost(message));
    if (left < AHEAD && left + cost(message) >= AHEAD) {
      context.runOnContext(v -> resume());
    }
    return parse(message);
  }

  /// A request that has ended cannot be resumed.
  private void resume() {
    if (!hasAll && waiting.get() < AHEAD) {
      request.resume();
    }
  }

  private Q parse(ByteString message) {
    try {
      CodedInputStream in = inOnePiece(message).newCodedInput();
      in.enableAliasing(true); // values are copied from here to their tensor, once
      Q parsed = parser.parseFrom(in);
      in.checkLastTagWas(0);
      return parsed;
    } catch (InvalidProtocolBufferException e) {
      throw new Refusal(
          Reason.BAD_MESSAGE,
          "a message to %s cannot be read: %s"
              .formatted(request.path().substring(1), e.getMessage()));
    }
  }

  private static ByteString inOnePiece(ByteString message) {
    return message.asReadOnlyByteBufferList().size() == 1
        ? message
        : UnsafeByteOperations.unsafeWrap(message.toByteArray());
  }
}
