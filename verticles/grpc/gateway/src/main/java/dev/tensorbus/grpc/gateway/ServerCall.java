// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import com.google.protobuf.MessageLite;
import dev.tensorbus.grpc.gateway.server.GrpcTimeout;
import dev.tensorbus.grpc.gateway.server.RequestStream;
import dev.tensorbus.grpc.gateway.server.ResponseStream;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusExceptions;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One gRPC call. Its [Method] reads the requests and writes the responses on a separate virtual
/// thread. Both operations block, so that neither side can fill the other's memory. The thread is
/// interrupted when the caller cancels, disconnects, or reaches its deadline.
///
/// @param <Q> type of the request messages
/// @param <R> type of the response messages
final class ServerCall<Q, R extends MessageLite> {
  /// The maximum number of messages in flight to the caller.
  static final int AHEAD = 4;

  private final HttpServerRequest request;
  private final RequestStream<Q> requests;
  private final ResponseStream responses;
  private final Context context = Vertx.currentContext();
  private final Semaphore outbox = new Semaphore(AHEAD);
  private final Method<Q, R> method;
  private final Duration idle;
  private @Nullable Deadline deadline;

  /// The last message, which is sent together with the end of the stream; null until it is known.
  /// Set only by the worker thread.
  private @Nullable Buffer last;

  // Accessed only on the event loop.
  private @Nullable Thread worker;
  private boolean isOver;
  private long timer = -1;
  private long first = -1;

  private ServerCall(HttpServerRequest request, RequestStream<Q> requests, Method<Q, R> method) {
    this.request = request;
    this.requests = requests;
    this.responses = new ResponseStream(request.response());
    this.idle = requests.admitted().limits().idle();
    this.method = method;
  }

  /// The implementation of a gRPC method.
  ///
  /// @param <Q> type of the request messages
  /// @param <R> type of the response messages
  @FunctionalInterface
  interface Method<Q, R extends MessageLite> {
    /// Serves a call. The call succeeds when this method returns, and fails when it throws.
    void serve(ServerCall<Q, R> call) throws Exception;
  }

  /// Starts serving a call. Must be called on the request's event loop.
  ///
  /// @param requests the request's messages; closed with the call
  static <Q, R extends MessageLite> void serve(
      HttpServerRequest request, RequestStream<Q> requests, Method<Q, R> method) {
    new ServerCall<>(request, requests, method).open();
  }

  private void open() {
    request.exceptionHandler(error -> abandon());
    responses.onGone(this::abandon);
    first = vertx().setTimer(idle.toMillis(), id -> refuse(RequestStream.idle(idle)));
    requests.open(this::begin, this::refuse);
    try {
      Duration given = GrpcTimeout.of(request.getHeader("grpc-timeout"));
      if (given != null) {
        deadline = Deadline.after(given, NanoClock.SYSTEM);
        long millis = Math.max(1, given.toMillis());
        timer = vertx().setTimer(millis, id -> refuse(late(millis)));
      }
    } catch (GrpcStatusException refusal) {
      refuse(refusal);
    }
  }

  private void begin() {
    vertx().cancelTimer(first);
    if (!isOver) {
      worker = Threads.system().start("grpc " + request.path(), this::run);
    }
  }

  private Vertx vertx() {
    return context.owner();
  }

  private static GrpcStatusException late(long millis) {
    return new GrpcStatusException(
        Reason.DEADLINE, "the call exceeded its deadline of %d ms".formatted(millis));
  }

  private void run() {
    try {
      method.serve(this);
      context.runOnContext(v -> end(last));
    } catch (Exception | Error e) {
      GrpcStatusException refusal = GrpcStatusExceptions.of(e);
      context.runOnContext(v -> refuse(refusal));
    }
  }

  /// Returns the next message, or null after the last. Blocks.
  ///
  /// @throws GrpcStatusException if the message cannot be read or does not arrive within the idle
  ///     timeout
  @Nullable Q receive() throws InterruptedException {
    return requests.take();
  }

  /// Returns a reader for tensors of this call.
  TensorReader tensors() {
    return requests.admitted().tensors();
  }

  /// Sends a message. Blocks while too many messages are in flight.
  ///
  /// @throws GrpcStatusException if the caller does not read anything within the idle timeout
  void send(R message) throws InterruptedException {
    Buffer frame = ResponseStream.frame(message);
    if (!outbox.tryAcquire(idle.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new GrpcStatusException(
          Reason.IDLE,
          "the answer was not read for %d ms; read sooner, or raise --grpc-idle"
              .formatted(idle.toMillis()));
    }
    context.runOnContext(v -> write(frame));
  }

  /// Sends a message. If it is the last one, it is sent together with the end of the stream.
  void send(R message, boolean isLast) throws InterruptedException {
    if (isLast) {
      last = ResponseStream.frame(message);
    } else {
      send(message);
    }
  }

  /// Sends the response headers without waiting for the first message.
  void sendHead() {
    context.runOnContext(
        v -> {
          if (!isOver) {
            responses.writeHead();
          }
        });
  }

  private void write(Buffer frame) {
    if (isOver) {
      outbox.release();
    } else {
      responses.write(frame).onComplete(done -> outbox.release());
    }
  }

  /// Returns the time left until the deadline, or null if there is none.
  @Nullable Duration left() {
    Deadline given = deadline;
    return given == null ? null : given.left();
  }

  private void end(@Nullable Buffer lastFrame) {
    if (close()) {
      responses.end(lastFrame);
    }
  }

  private void refuse(GrpcStatusException refusal) {
    if (close()) {
      responses.refuse(refusal);
    }
  }

  /// Called when the caller disconnects or the response has ended.
  private void abandon() {
    requests.fail();
    close();
  }

  /// Closes the call. Returns false if it was already closed.
  private boolean close() {
    if (isOver) {
      return false;
    }
    isOver = true;
    vertx().cancelTimer(timer);
    vertx().cancelTimer(first);
    if (worker != null) {
      worker.interrupt();
    }
    requests.close();
    return true;
  }
}
