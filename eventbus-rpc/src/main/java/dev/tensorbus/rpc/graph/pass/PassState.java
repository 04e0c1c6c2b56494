// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.wire.Gradients;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The state of a pass on one worker. Its methods take incoming messages and return the messages to
/// send.
///
/// Starts no threads and sends nothing itself. Guarded by the lock of the pass.
final class PassState {
  private final Engagement engagement = new Engagement();

  /// This worker's sweep, or null if the pass has not started, is over, or has failed.
  private @Nullable WorkerSweep sweep;

  private @Nullable Throwable failure;
  private boolean finished;

  /// Starts the pass.
  ///
  /// @param over at the origin, the promise of the pass's end, otherwise null. It engages the
  ///     origin at once, since a late receive function may send messages before the losses are
  ///     resolved.
  void begin(WorkerSweep begun, @Nullable Promise<Void> over) {
    sweep = begun;
    if (over != null) {
      engagement.begin(over);
    }
  }

  /// Returns whether this worker is engaged. May be called on any thread.
  boolean isEngaged() {
    return engagement.isEngaged();
  }

  boolean awaitsUserCode() {
    return sweep != null && sweep.awaitsUserCode();
  }

  /// Returns the workers whose gradients have not arrived.
  List<String> awaitedPeers() {
    return sweep == null ? List.of() : sweep.awaitedPeers();
  }

  /// The result of handling a message.
  ///
  /// @param answer a future of the gradients for the sender
  /// @param outgoing the messages to send, by peer
  record Turn(Future<List<Gradients>> answer, Map<String, List<Gradients>> outgoing) {
    private static Turn of(List<Gradients> answer) {
      return new Turn(Future.succeededFuture(answer), Map.of());
    }

    static Turn failed(Throwable cause) {
      return new Turn(Future.failedFuture(cause), Map.of());
    }
  }

  /// Handles a message and runs every function that becomes ready. Propagates the exceptions of
  /// these functions.
  Turn receive(String from, List<Gradients> message) {
    WorkerSweep running = sweep;
    if (failure != null) {
      return Turn.failed(failure);
    }
    if (running == null) {
      return Turn.of(List.of());
    }
    running.resolve(from, message);
    Map<String, List<Gradients>> outgoing = running.takeOutgoing();
    Future<List<Gradients>> answer = answer(from, outgoing);
    count(outgoing);
    return new Turn(answer, outgoing);
  }

  /// Answers a message immediately, or engages this worker and answers when it is idle again.
  private Future<List<Gradients>> answer(String from, Map<String, List<Gradients>> outgoing) {
    if (isEngaged() || (isIdle() && Set.of(from).containsAll(outgoing.keySet()))) {
      List<Gradients> reply = outgoing.remove(from);
      return Future.succeededFuture(reply == null ? List.of() : reply);
    }
    Promise<Void> idle = Promise.promise();
    engagement.begin(idle);
    return idle.future().map(done -> List.of());
  }

  private void count(Map<String, List<Gradients>> outgoing) {
    engagement.sent(outgoing.size());
    if (isIdle()) {
      engagement.end();
    }
  }

  private boolean isIdle() {
    return engagement.isAllAnswered() && (sweep == null || sweep.isDone());
  }

  /// Runs `task` unless the pass is over on this worker. Propagates the exceptions of `task`.
  ///
  /// @return the messages to send, by peer
  Map<String, List<Gradients>> work(Consumer<WorkerSweep> task) {
    WorkerSweep running = sweep;
    if (running == null) {
      return Map.of();
    }
    task.accept(running);
    Map<String, List<Gradients>> outgoing = running.takeOutgoing();
    count(outgoing);
    return outgoing;
  }

  /// Handles the answer to one of this worker's messages.
  void answered(WorkerSweep running, String peer, List<Gradients> answer) {
    running.resolve(peer, answer);
    engagement.answered();
  }

  /// Records that the pass is over on every worker. If a late message has engaged this worker,
  /// answers that message.
  void finish() {
    finished = true;
    sweep = null;
    engagement.end();
  }

  /// Fails the pass on this worker, unless it has ended.
  ///
  /// @return false if the pass had already ended
  boolean fail(Supplier<Throwable> cause) {
    if (finished || failure != null) {
      return false;
    }
    Throwable why = cause.get();
    failure = why;
    sweep = null;
    engagement.fail(why);
    return true;
  }
}
