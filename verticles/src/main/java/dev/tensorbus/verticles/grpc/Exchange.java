// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import com.google.protobuf.MessageLite;
import dev.tensorbus.verticles.grpc.server.Deadline;
import dev.tensorbus.verticles.grpc.server.Inbox;
import dev.tensorbus.verticles.grpc.server.Reply;
import dev.tensorbus.verticles.grpc.wire.Reason;
import dev.tensorbus.verticles.grpc.wire.Refusal;
import dev.tensorbus.verticles.grpc.wire.Refusals;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// One gRPC call. A method reads and writes it on a virtual thread of its own, as if it were a
/// file; both wait for the other side, so that neither side's speed fills the other's memory. The
/// thread is interrupted when the caller gives up, is gone, or its time is over.
///
/// @param <Q> what comes
/// @param <R> what goes
final class Exchange<Q, R extends MessageLite> {
  /// Messages that may be on their way out.
  static final int AHEAD = 4;

  private final HttpServerRequest request;
  private final Inbox<Q> inbox;
  private final Reply reply;
  private final Context context = Vertx.currentContext();
  private final Semaphore outbox = new Semaphore(AHEAD);
  private final Thread worker;
  private final Runnable onEnd;
  private @Nullable Deadline deadline;

  /// Goes with the end; the worker's only.
  private @Nullable Buffer last;

  // Event loop only.
  private boolean isOver;
  private long timer = -1;

  private Exchange(HttpServerRequest request, Inbox<Q> inbox, Method<Q, R> method, Runnable onEnd) {
    this.request = request;
    this.inbox = inbox;
    this.reply = new Reply(request.response());
    this.onEnd = onEnd;
    this.worker = Thread.ofVirtual().name("grpc " + request.path()).unstarted(() -> run(method));
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
  /// @param inbox of the request
  /// @param onEnd runs when it is over
  static <Q, R extends MessageLite> void serve(
      HttpServerRequest request, Inbox<Q> inbox, Method<Q, R> method, Runnable onEnd) {
    new Exchange<>(request, inbox, method, onEnd).open();
  }

  private void open() {
    request.exceptionHandler(error -> abandon());
    reply.onGone(this::abandon);
    inbox.open(worker::start, this::refuse);
    try {
      Deadline given = Deadline.of(request.getHeader("grpc-timeout"));
      deadline = given;
      if (given != null) {
        long millis = Math.max(1, given.limit().toMillis());
        timer = vertx().setTimer(millis, id -> refuse(late(millis)));
      }
    } catch (Refusal refusal) {
      refuse(refusal);
    }
  }

  private Vertx vertx() {
    return context.owner();
  }

  private static Refusal late(long millis) {
    return new Refusal(Reason.DEADLINE, "the call's %d ms are over".formatted(millis));
  }

  private void run(Method<Q, R> method) {
    try {
      method.serve(this);
      context.runOnContext(v -> end(last));
    } catch (Exception | Error e) {
      Refusal refusal = Refusals.of(e);
      context.runOnContext(v -> refuse(refusal));
    }
  }

  /// The next message; null after the last.
  ///
  /// @throws Refusal if it cannot be read
  @Nullable Q receive() throws InterruptedException {
    return inbox.take();
  }

  /// Sends a message; waits while too many are on their way.
  void send(R message) throws InterruptedException {
    Buffer frame = Reply.frame(message);
    outbox.acquire();
    context.runOnContext(v -> write(frame));
  }

  /// The same; the last waits for the end and goes with it.
  void send(R message, boolean isLast) throws InterruptedException {
    if (isLast) {
      last = Reply.frame(message);
    } else {
      send(message);
    }
  }

  /// Tells the caller that the call is being served, before there is a message.
  void sendHead() {
    context.runOnContext(
        v -> {
          if (!isOver) {
            reply.writeHead();
          }
        });
  }

  private void write(Buffer frame) {
    if (isOver) {
      outbox.release();
    } else {
      reply.write(frame).onComplete(done -> outbox.release());
    }
  }

  /// What is left of the caller's time; empty if it gave no limit.
  @Nullable Duration left() {
    Deadline given = deadline;
    return given == null ? null : given.left();
  }

  private void end(@Nullable Buffer lastFrame) {
    if (close()) {
      reply.end(lastFrame);
    }
  }

  private void refuse(Refusal refusal) {
    if (close()) {
      reply.refuse(refusal);
    }
  }

  /// The caller is gone, or the answer at its end.
  private void abandon() {
    inbox.fail();
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
    inbox.close();
    onEnd.run();
    return true;
  }
}
