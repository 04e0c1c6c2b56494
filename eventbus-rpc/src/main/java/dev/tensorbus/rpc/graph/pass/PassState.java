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

/// The state of one worker's part of a pass. Messages and work go in, messages to send come out.
///
/// It knows no threads and sends nothing. Guarded by the lock of the pass.
final class PassState {
  private final Engagement engagement = new Engagement();

  /// This worker's part, until the pass is over. A pass that failed before it started has none.
  private @Nullable WorkerSweep sweep;

  private @Nullable Throwable failure;
  private boolean finished;

  /// Starts the pass.
  ///
  /// @param over engages this worker if the pass starts here: a late receive function may notify
  ///     others before the losses are resolved
  void begin(WorkerSweep begun, @Nullable Promise<Void> over) {
    sweep = begun;
    if (over != null) {
      engagement.begin(over);
    }
  }

  /// Returns whether other workers still have to wait for this one. Any thread.
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

  /// The effect of a message.
  ///
  /// @param answer the gradients for its sender
  /// @param outgoing the messages for others
  record Turn(Future<List<Gradients>> answer, Map<String, List<Gradients>> outgoing) {
    private static Turn of(List<Gradients> answer) {
      return new Turn(Future.succeededFuture(answer), Map.of());
    }

    static Turn failed(Throwable cause) {
      return new Turn(Future.failedFuture(cause), Map.of());
    }
  }

  /// Handles a message and runs everything that it makes ready. Throws what a function of the graph
  /// throws.
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

  /// Answers a message at once, or lets it engage this worker.
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

  /// Does work, unless the pass is over on this worker. Throws what the work throws.
  ///
  /// @return the resulting messages
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

  /// Handles the answer to a message of this worker.
  void answered(WorkerSweep running, String peer, List<Gradients> answer) {
    running.resolve(peer, answer);
    engagement.answered();
  }

  /// Records that the pass is over on every worker. A message that arrived late may have engaged
  /// this one meanwhile; it is answered.
  void finish() {
    finished = true;
    sweep = null;
    engagement.end();
  }

  /// Ends this worker's part with an error, unless it has ended.
  ///
  /// @return whether it had not ended before
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
