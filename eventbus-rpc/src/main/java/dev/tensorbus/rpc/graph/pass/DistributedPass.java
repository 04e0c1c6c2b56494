// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.jfr.BackwardEvent;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A backward pass on one worker: handles messages of the pass and sends gradients to peers.
///
/// [WorkerSweep] answers each receive function exactly once, so every sweep terminates.
/// [Engagement] detects the end of the pass on all workers. docs/dist-autograd-proof.md has the
/// proof.
public final class DistributedPass {
  private final ContextGraph graph;
  private final long number;
  private final AutogradPeers peers;
  private final PassThreads threads;
  private final PassLock lock;
  private final PassState state = new PassState();

  /// The trace context of the pass, or null. Sent with every message.
  private volatile @Nullable TraceContext trace;

  /// At the origin, completed when the pass is over on every worker; not used on other workers.
  private final Promise<Void> over = Promise.promise();

  /// Creates a pass that has not started.
  public DistributedPass(
      ContextGraph graph, long number, AutogradPeers peers, PassThreads threads) {
    this.graph = graph;
    this.number = number;
    this.peers = peers;
    this.threads = threads;
    this.lock = new PassLock(threads);
  }

  /// Starts the pass on this worker, with all send and receive functions recorded so far.
  ///
  /// @param losses the losses if this worker is the origin of the pass, otherwise empty
  public void begin(Collection<Node> losses) {
    WorkerSweep sweep = new WorkerSweep(graph, losses, this::computeBeside);
    state.begin(sweep, losses.isEmpty() ? null : over);
  }

  /// Sets the trace context of the pass, which the origin creates and messages carry.
  public void tracedIn(@Nullable TraceContext origin) {
    trace = origin;
  }

  /// Returns whether this worker is engaged in the pass, so that the pass cannot end yet.
  public boolean isRunning() {
    return state.isEngaged();
  }

  /// Sets the gradients of the losses and runs every function that becomes ready. Called at the
  /// origin only.
  ///
  /// @return a future that completes when the pass is over on every worker
  public Future<Void> start(List<Node> losses, List<List<@Nullable Tensor>> gradients) {
    work(
        sweep -> {
          for (int index = 0; index < losses.size(); index++) {
            sweep.resolve(losses.get(index), gradients.get(index));
          }
        });
    return over.future();
  }

  /// Handles a message of the pass and runs every function that becomes ready.
  ///
  /// @return a future of the gradients for the sender. A message that engages this worker is
  ///     answered when the worker is idle again; any other message is answered immediately.
  public Future<List<Gradients>> receive(String from, List<Gradients> message) {
    return lock.run(
        state::awaitsUserCode,
        () -> {
          PassState.Turn turn = lock.hold(() -> turn(from, message));
          send(turn.outgoing());
          return turn.answer();
        });
  }

  private PassState.Turn turn(String from, List<Gradients> message) {
    BackwardEvent event = sweepEvent();
    try {
      return state.receive(from, message);
    } catch (RuntimeException | Error e) {
      failHere(e);
      return PassState.Turn.failed(e);
    } finally {
      event.commit();
    }
  }

  /// Answers *none* for a receive function that was recorded after the pass started. Does not
  /// block: the thread that holds the lock may run a hook that waits for the message in which the
  /// tensors arrived.
  public void answerNone(ReceiveNode node) {
    lock.runWithoutWaiting(() -> work(sweep -> sweep.answerNone(node)));
  }

  /// Runs `task` unless the pass is over, and sends the resulting messages.
  private void work(Consumer<WorkerSweep> task) {
    send(lock.hold(() -> outgoing(task)));
  }

  private Map<String, List<Gradients>> outgoing(Consumer<WorkerSweep> task) {
    BackwardEvent event = sweepEvent();
    try {
      return state.work(task);
    } catch (RuntimeException | Error e) {
      failHere(e);
      return Map.of();
    } finally {
      event.commit();
    }
  }

  private BackwardEvent sweepEvent() {
    return BackwardEvent.begun(BackwardEvent.SWEEP, graph.worker(), graph.id());
  }

  /// Runs `task`, which computes gradients of leaves, on a virtual thread concurrently with the
  /// sweep.
  private void computeBeside(Runnable task) {
    Future<Void> _ =
        threads.onVirtualThread(
            () -> {
              BackwardEvent event = sweepEvent();
              try {
                task.run();
                event.commit();
                work(WorkerSweep::giveToLeaves);
              } catch (RuntimeException | Error e) {
                failHere(e);
              }
              return Future.succeededFuture();
            });
  }

  /// Sends each peer its message. [#answered] handles the answers.
  private void send(Map<String, List<Gradients>> outgoing) {
    outgoing.forEach(
        (peer, gradients) ->
            peers
                .propagate(peer, graph.id(), number, trace, gradients)
                .onComplete(answer -> answered(peer, answer)));
  }

  private void answered(String peer, AsyncResult<List<Gradients>> answer) {
    if (answer.failed()) {
      fail(answer.cause());
      return;
    }
    Future<Void> _ = threads.adaptively(() -> take(peer, answer.result()));
  }

  /// Handles an answer, on a virtual thread if the work may block and this thread must not.
  private Future<Void> take(String peer, List<Gradients> answer) {
    return lock.run(
        state::awaitsUserCode,
        () -> {
          work(sweep -> state.answered(sweep, peer, answer));
          return Future.succeededFuture();
        });
  }

  /// Returns the workers whose gradients have not arrived, or an empty list if a thread is still
  /// working for the pass here.
  public List<String> awaitedPeers() {
    return lock.tryHold(state::awaitedPeers, List.of());
  }

  /// Records that the pass is over on every worker.
  public void finish() {
    lock.runHolding(state::finish);
  }

  /// Fails the pass on this worker and on every worker that it may have reached. Does not block.
  public void fail(Throwable cause) {
    lock.runWithoutWaiting(() -> failHere(cause));
  }

  private void failHere(Throwable cause) {
    if (lock.hold(() -> state.fail(() -> cause))) {
      graph.neighbours().forEach(peer -> peers.tellFailure(peer, graph.id(), number, cause));
    }
  }

  /// Fails the pass on this worker only, unless it has ended. Does not block.
  ///
  /// @param cause supplies the error; called only if needed, since creating an exception is slow
  public void abandon(Supplier<Throwable> cause) {
    lock.runWithoutWaiting(() -> lock.hold(() -> state.fail(cause)));
  }
}
