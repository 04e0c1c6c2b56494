// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import com.google.protobuf.MessageLite;
import dev.tensorbus.grpc.gateway.server.Deadline;
import dev.tensorbus.grpc.gateway.server.RequestStream;
import dev.tensorbus.grpc.gateway.server.ResponseStream;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusExceptions;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One gRPC call. A method reads and writes it on a virtual thread of its own, as if it were a
/// file; both wait for the other side, so that neither side's speed fills the other's memory. The
/// thread is interrupted when the caller gives up, is gone, or its time is over.
///
/// @param <Q> what comes
/// @param <R> what goes
final class ServerCall<Q, R extends MessageLite> {
  /// Messages that may be on their way out.
  static final int AHEAD = 4;

  private final HttpServerRequest request;
  private final RequestStream<Q> requests;
  private final ResponseStream responses;
  private final Context context = Vertx.currentContext();
  private final Semaphore outbox = new Semaphore(AHEAD);
  private final Thread worker;
  private final Duration idle;
  private @Nullable Deadline deadline;

  /// Goes with the end; the worker's only.
  private @Nullable Buffer last;

  // Event loop only.
  private boolean isOver;
  private long timer = -1;
  private long first = -1;

  private ServerCall(HttpServerRequest request, RequestStream<Q> requests, Method<Q, R> method) {
    this.request = request;
    this.requests = requests;
    this.responses = new ResponseStream(request.response());
    this.idle = requests.admitted().limits().idle();
    this.worker = Thread.ofVirtual().name("grpc " + request.path()).unstarted(() -> run(method));
  }

  /// The work of a call.
  ///
  /// @param <Q> what comes
  /// @param <R> what goes
  @FunctionalInterface
  interface Method<Q, R extends MessageLite> {
    /// Reads and writes; the call ends well when it returns, and not when it throws.
    void serve(ServerCall<Q, R> call) throws Exception;
  }

  /// Serves a call, on the event loop that it came on.
  ///
  /// @param requests of the request; closed with the call
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
      Deadline given = Deadline.of(request.getHeader("grpc-timeout"));
      deadline = given;
      if (given != null) {
        long millis = Math.max(1, given.limit().toMillis());
        timer = vertx().setTimer(millis, id -> refuse(late(millis)));
      }
    } catch (GrpcStatusException refusal) {
      refuse(refusal);
    }
  }

  private void begin() {
    vertx().cancelTimer(first);
    worker.start();
  }

  private Vertx vertx() {
    return context.owner();
  }

  private static GrpcStatusException late(long millis) {
    return new GrpcStatusException(Reason.DEADLINE, "the call's %d ms are over".formatted(millis));
  }

  private void run(Method<Q, R> method) {
    try {
      method.serve(this);
      context.runOnContext(v -> end(last));
    } catch (Exception | Error e) {
      GrpcStatusException refusal = GrpcStatusExceptions.of(e);
      context.runOnContext(v -> refuse(refusal));
    }
  }

  /// The next message; null after the last.
  ///
  /// @throws GrpcStatusException if it cannot be read
  @Nullable Q receive() throws InterruptedException {
    return requests.take();
  }

  /// Puts together the tensors of this call.
  TensorReader tensors() {
    return requests.admitted().tensors();
  }

  /// Sends a message; waits while too many are on their way.
  ///
  /// @throws GrpcStatusException if the caller takes none for too long
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

  /// The same; the last waits for the end and goes with it.
  void send(R message, boolean isLast) throws InterruptedException {
    if (isLast) {
      last = ResponseStream.frame(message);
    } else {
      send(message);
    }
  }

  /// Tells the caller that the call is being served, before there is a message.
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

  /// The rest of the caller's time; empty if it gave no limit.
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

  /// The caller is gone, or the answer at its end.
  private void abandon() {
    requests.fail();
    close();
  }

  /// Whether it was open.
  private boolean close() {
    if (isOver) {
      return false;
    }
    isOver = true;
    vertx().cancelTimer(timer);
    vertx().cancelTimer(first);
    worker.interrupt();
    requests.close();
    return true;
  }
}
