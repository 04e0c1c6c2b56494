// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The messages of a request. Reading pauses while at least [#AHEAD] bytes of messages are queued;
/// HTTP/2's flow control then holds the caller back.
///
/// @param <Q> type of the messages
public final class RequestStream<Q> {
  /// Reading pauses once this many bytes of messages are queued.
  static final int AHEAD = 1 << 20;

  /// The number of bytes added to the size of each queued message, so that a caller cannot queue an
  /// unlimited number of empty messages.
  private static final int OVERHEAD = 64;

  /// The number of bytes charged for each received buffer in addition to its data, because a
  /// message may arrive byte by byte.
  private static final int PIECE = 256;

  private final HttpServerRequest request;
  private final Parser<Q> parser;
  private final AdmittedCall admitted;
  private final Context context;
  private final Frames frames;
  private final BlockingQueue<Optional<ByteString>> messages = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();

  // Accessed only on the event loop.
  private Runnable onFirst = () -> {};
  private Consumer<GrpcStatusException> onRefusal = refusal -> {};
  private boolean hasAll;
  private boolean isClosed;
  private long pieces;

  /// Creates a stream. Must be called on the request's event loop.
  ///
  /// @param parser parses a message
  /// @param admitted the call to which the received data is charged
  public RequestStream(HttpServerRequest request, Parser<Q> parser, AdmittedCall admitted) {
    this.request = request;
    this.parser = parser;
    this.admitted = admitted;
    this.context = Vertx.currentContext();
    this.frames = new Frames(admitted.limits().messageBytes(), this::add);
  }

  /// Returns the admitted call, to which the received data is charged.
  public AdmittedCall admitted() {
    return admitted;
  }

  /// Starts reading.
  ///
  /// @param first runs when the first message or the end of the request has arrived
  /// @param refusal receives the reason if a message is refused or the call is evicted
  public void open(Runnable first, Consumer<GrpcStatusException> refusal) {
    onFirst = first;
    onRefusal = refusal;
    admitted.onEvicted(reason -> context.runOnContext(v -> refusal.accept(reason)));
    request.handler(this::read);
    request.endHandler(v -> end());
  }

  /// Closes the admitted call and discards queued messages and further data.
  public void close() {
    isClosed = true;
    messages.clear();
    frames.clear();
    waiting.set(0);
    admitted.close();
    resume();
  }

  /// Records that the request is broken, so that reading is never resumed.
  public void fail() {
    hasAll = true;
  }

  private void read(Buffer data) {
    if (isClosed) {
      return;
    }
    admitted.hear();
    try {
      admitted.hold(data.length() + PIECE);
      pieces += PIECE;
      frames.add(UnsafeByteOperations.unsafeWrap(((BufferInternal) data).getByteBuf().nioBuffer()));
      if (frames.isEmpty()) {
        admitted.hold(-pieces);
        pieces = 0;
      }
    } catch (GrpcStatusException refusal) {
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
    admitted.hearEnd();
    if (!isClosed) {
      put(Optional.empty());
    }
  }

  private static long cost(ByteString message) {
    return (long) OVERHEAD + message.size();
  }

  /// Returns the next message, or null after the last. Blocks for at most the idle timeout.
  ///
  /// @throws GrpcStatusException if the message cannot be parsed or does not arrive in time
  public @Nullable Q take() throws InterruptedException {
    Duration patience = admitted.limits().idle();
    Optional<ByteString> next = messages.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      throw idle(patience);
    }
    if (next.isEmpty()) {
      messages.add(next);
      return null;
    }
    ByteString message = next.get();
    long left = waiting.addAndGet(-cost(message));
    if (left < AHEAD && left + cost(message) >= AHEAD) {
      context.runOnContext(v -> resume());
    }
    admitted.hold(-Frames.PREFIX - message.size());
    return parse(message);
  }

  /// Returns the exception for a call whose caller sends nothing.
  public static GrpcStatusException idle(Duration patience) {
    return new GrpcStatusException(
        Reason.IDLE,
        "no message arrived for %d ms; send sooner, or raise --grpc-idle"
            .formatted(patience.toMillis()));
  }

  /// Resumes reading, unless the request has ended or too many bytes are still queued.
  private void resume() {
    if (!hasAll && waiting.get() < AHEAD) {
      request.resume();
    }
  }

  private Q parse(ByteString message) {
    try {
      CodedInputStream in = inOnePiece(message).newCodedInput();
      in.enableAliasing(true); // values are copied only once, into their tensor
      Q parsed = parser.parseFrom(in);
      in.checkLastTagWas(0);
      return parsed;
    } catch (InvalidProtocolBufferException e) {
      throw new GrpcStatusException(
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
