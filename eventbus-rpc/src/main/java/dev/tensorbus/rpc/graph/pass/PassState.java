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

/// The state of one worker's part of a pass. A message or work comes in, messages to send come out.
///
/// It knows no threads and sends nothing. The lock of the pass guards it.
final class PassState {
  private final Engagement engagement = new Engagement();

  /// This worker's part, until the pass is over. A pass that failed before it began has none.
  private @Nullable WorkerSweep sweep;

  private @Nullable Throwable failure;
  private boolean finished;

  /// Begins the pass.
  ///
  /// @param over engages this worker if the pass begins here: others may hear of it from a late
  ///     receive function, before the losses are resolved
  void begin(WorkerSweep begun, @Nullable Promise<Void> over) {
    sweep = begun;
    if (over != null) {
      engagement.begin(over);
    }
  }

  /// Whether others have yet to wait for this worker. Any thread may ask.
  boolean isEngaged() {
    return engagement.isEngaged();
  }

  boolean awaitsUserCode() {
    return sweep != null && sweep.awaitsUserCode();
  }

  /// The workers whose gradients have yet to come.
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

  /// Takes a message and runs everything that it makes ready. Throws what a function of the graph
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

  /// Does work, unless the pass is over here. Throws what the work throws.
  ///
  /// @return the messages that come of it
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

  /// Takes the answer to a message of this worker.
  void answered(WorkerSweep running, String peer, List<Gradients> answer) {
    running.resolve(peer, answer);
    engagement.answered();
  }

  /// Notes that the pass is over on every worker. A message that came late may have engaged this
  /// one meanwhile; it is answered.
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
