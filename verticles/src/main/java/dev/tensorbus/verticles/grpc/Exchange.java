// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import dev.tensorbus.verticles.grpc.wire.Refusals;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// One gRPC call. A method reads and writes it on a virtual thread of its own, as if it were a
/// file; both wait for the other side, so that neither side's speed fills the other's memory. The
/// thread is interrupted when the caller gives up, is gone, or its time is over.
///
/// @param <Q> what comes
/// @param <R> what goes
final class Exchange<Q, R extends MessageLite> {
  /// Messages that may wait here for the method, and as many on their way out.
  private static final int AHEAD = 4;

  /// Past the last message.
  private static final Object END = new Object();

  private final GrpcServerRequest<Buffer, Buffer> request;
  private final Parser<Q> parser;
  private final Context context;
  private final BlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
  private final Semaphore outbox = new Semaphore(AHEAD);
  private final Thread worker;
  private final Runnable onEnd;
  private final @Nullable Long deadline;
  private int taken;

  // Event loop only.
  private boolean isStarted;
  private boolean isOver;
  private long timer = -1;

  private Exchange(
      GrpcServerRequest<Buffer, Buffer> request,
      Parser<Q> parser,
      Method<Q, R> method,
      Runnable onEnd) {
    this.request = request;
    this.parser = parser;
    this.onEnd = onEnd;
    this.context = Vertx.currentContext();
    this.worker =
        Thread.ofVirtual().name("grpc " + request.methodName()).unstarted(() -> run(method));
    this.deadline = hasDeadline() ? System.nanoTime() + timeout().toNanos() : null;
  }

  /// What is done in a call.
  ///
  /// @param <Q> what comes
  /// @param <R> what goes
  @FunctionalInterface
  interface Method<Q, R extends MessageLite> {
    /// Reads and writes; the call ends well when it returns, and not when it throws.
    void serve(Exchange<Q, R> call) throws Exception;
  }

  /// Serves a call, on the event loop that it came on.
  ///
  /// @param onEnd runs when it is over
  static <Q, R extends MessageLite> void serve(
      GrpcServerRequest<Buffer, Buffer> request,
      Parser<Q> parser,
      Method<Q, R> method,
      Runnable onEnd) {
    new Exchange<>(request, parser, method, onEnd).open();
  }

  private void open() {
    request.pause();
    request.handler(this::deliver);
    request.endHandler(v -> deliver(END));
    request.errorHandler(error -> abandon());
    request.exceptionHandler(error -> abandon());
    request.response().exceptionHandler(error -> abandon());
    request.invalidMessageHandler(error -> refuse(tooLarge(String.valueOf(error.getMessage()))));
    if (deadline != null) {
      timer = vertx().setTimer(Math.max(1, request.timeout()), id -> refuse(late()));
    }
    request.fetch(AHEAD);
  }

  private Vertx vertx() {
    return context.owner();
  }

  private static Refusal tooLarge(String message) {
    return new Refusal(
        Reason.MESSAGE_TOO_LARGE,
        "a message is larger than --grpc-max-message allows: "
            + message
            + "; send tensors in smaller parts");
  }

  private Refusal late() {
    return new Refusal(Reason.DEADLINE, "the call's %d ms are over".formatted(request.timeout()));
  }

  private void deliver(Object message) {
    if (isOver) {
      return;
    }
    inbox.add(message);
    if (!isStarted) {
      isStarted = true;
      worker.start();
    }
  }

  private void run(Method<Q, R> method) {
    try {
      method.serve(this);
      context.runOnContext(v -> end());
    } catch (Exception | Error e) {
      Refusal refusal = Refusals.of(e);
      context.runOnContext(v -> refuse(refusal));
    }
  }

  /// The next message; null after the last.
  ///
  /// @throws Refusal if it cannot be read
  @Nullable Q receive() throws InterruptedException {
    Object next = inbox.take();
    if (END.equals(next)) {
      inbox.add(END);
      return null;
    }
    if (++taken == AHEAD / 2) {
      taken = 0;
      context.runOnContext(v -> request.fetch(AHEAD / 2));
    }
    return parse((Buffer) next);
  }

  private Q parse(Buffer message) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(message.getBytes());
      in.enableAliasing(true); // tensors are copied from the bytes, once
      Q parsed = parser.parseFrom(in);
      in.checkLastTagWas(0);
      return parsed;
    } catch (InvalidProtocolBufferException e) {
      throw new Refusal(
          Reason.BAD_MESSAGE,
          "a message to %s cannot be read: %s".formatted(request.methodName(), e.getMessage()));
    }
  }

  /// Sends a message; waits while too many are on their way.
  void send(R message) throws InterruptedException {
    Buffer bytes = Buffer.buffer(message.toByteArray());
    outbox.acquire();
    context.runOnContext(v -> write(bytes));
  }

  /// Tells the caller that the call is being served, before there is a message.
  void sendHead() {
    context.runOnContext(
        v -> {
          if (!isOver) {
            request.response().writeHead();
          }
        });
  }

  private void write(Buffer bytes) {
    if (isOver) {
      outbox.release();
    } else {
      request.response().write(bytes).onComplete(done -> outbox.release());
    }
  }

  /// What is left of the caller's time; empty if it gave no limit.
  @Nullable Duration left() {
    return deadline == null ? null : Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
  }

  private boolean hasDeadline() {
    return request.headers().contains("grpc-timeout");
  }

  private Duration timeout() {
    return Duration.ofMillis(request.timeout());
  }

  private void end() {
    if (close()) {
      request.response().end();
    }
  }

  private void refuse(Refusal refusal) {
    if (close()) {
      request
          .response()
          .status(refusal.reason().status())
          .statusMessage(refusal.text())
          .trailers()
          .set(Refusal.DETAILS, refusal.details());
      request.response().end();
    }
  }

  private void abandon() {
    close();
  }

  /// Whether it was open.
  private boolean close() {
    if (isOver) {
      return false;
    }
    isOver = true;
    vertx().cancelTimer(timer);
    worker.interrupt();
    inbox.clear();
    request.fetch(Long.MAX_VALUE); // what still comes is dropped
    onEnd.run();
    return true;
  }
}
