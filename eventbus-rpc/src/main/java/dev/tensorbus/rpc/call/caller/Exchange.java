// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.call.CallEvents;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.Peer;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.jfr.CallEvent;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.Future;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Sends this worker's calls and handles the answers.
///
/// @param ended is notified when a call ends
public record Exchange(
    Peers peers,
    PendingCalls pending,
    PayloadCodec codec,
    Transmitter transmitter,
    CallEvents ended) {
  /// Sends a call once its callee is found, and returns a future of the answer.
  ///
  /// @param first runs before anything is sent; throws if the call must not be made
  <R> Future<RawAnswer<R>> run(PendingCall<R> pendingCall, Runnable first) {
    Target target = pendingCall.target();
    Runnable over = target.over();
    pendingCall.event(CallEvent.begun());
    try {
      first.run();
      return begin(pendingCall)
          .andThen( // before listeners, so that the call's span ends first
              done -> {
                over.run();
                Outcome outcome =
                    done.succeeded()
                        ? CallEvents.outcome(pendingCall.answered().outcome())
                        : outcome(done.cause());
                pendingCall.attachments().ended(outcome, done.cause());
                record(pendingCall);
                ended.made(
                    pendingCall.function(),
                    target.worker(),
                    outcome,
                    pendingCall.elapsed(),
                    pendingCall.repeats());
              });
    } catch (RuntimeException | Error e) {
      over.run();
      pendingCall.attachments().ended(outcome(e), e);
      record(pendingCall);
      throw e;
    }
  }

  private void record(PendingCall<?> call) {
    CallEvent event = call.event();
    if (event != null) {
      String peer = call.target().worker();
      ended.record(event, call.mode(), call.function(), peer, call.number());
    }
  }

  /// Returns the outcome of a call that failed on this worker.
  private static Outcome outcome(Throwable error) {
    return switch (error) {
      case RpcTimeoutException _ -> Outcome.TIMEOUT;
      case CancellationException _ -> Outcome.CANCELLED;
      case NoSuchWorkerException _ -> Outcome.LOST;
      default -> Outcome.ERROR;
    };
  }

  private <R> Future<RawAnswer<R>> begin(PendingCall<R> pendingCall) {
    pending.requireOpen(pendingCall);
    Target target = pendingCall.target();
    Peer known = peers.known(target.worker());
    return known != null
        ? ask(pendingCall, known)
        : pending.afterSearch(
            pendingCall, peers.find(target.worker()), found -> ask(pendingCall, found));
  }

  private <R> Future<RawAnswer<R>> ask(PendingCall<R> pendingCall, Peer to) {
    Target target = pendingCall.target();
    if (target.life() != null && !target.life().equals(to.sender())) {
      throw CallErrors.replaced(pendingCall);
    }
    pendingCall.to(to.sender(), to.node());
    PayloadCodec.Encoded arguments =
        codec.encodeRequest(
            pendingCall.call(),
            pendingCall.attachments(),
            pendingCall.to(),
            pendingCall.remaining());
    boolean isToBeSent;
    try {
      isToBeSent = pending.add(pendingCall);
    } catch (RuntimeException | Error e) {
      pendingCall.attachments().unsent();
      arguments.transfer().end();
      throw e;
    }
    Future<Frame> answer =
        pendingCall.answer().future().andThen(done -> ended(pendingCall, arguments, done.cause()));
    if (isToBeSent) {
      transmitter.start(pendingCall, arguments);
    }
    return answer.map(frame -> new RawAnswer<>(pendingCall, frame));
  }

  /// Handles an answer. Drops it if no call waits for it, or if it came from a node other than the
  /// callee's.
  ///
  /// @param node the cluster node from which the answer came
  public void answered(Frame frame, String node) {
    Response.Head head = Response.Head.from(frame);
    PendingCall<?> pendingCall = pending.get(head.life(), head.call());
    if (pendingCall == null || !pendingCall.node().equals(node)) {
      return;
    }
    switch (head.outcome()) {
      case PENDING -> pendingCall.acknowledge();
      case EXPIRED -> pending.fail(pendingCall, pendingCall.timedOut()); // timed out on the callee
      default -> {
        pendingCall.answered(head);
        pending.answer(pendingCall, frame);
      }
    }
    peers.heard(pendingCall.to());
  }

  private void ended(
      PendingCall<?> pendingCall, PayloadCodec.Encoded arguments, @Nullable Throwable error) {
    arguments.transfer().end();
    if (error instanceof RpcTimeoutException || error instanceof CancellationException) {
      transmitter.cancel(pendingCall);
    }
  }
}
