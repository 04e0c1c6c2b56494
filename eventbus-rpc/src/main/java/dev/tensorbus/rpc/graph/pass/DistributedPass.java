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

/// One worker's part of a backward pass: handles its messages, sends its own, and ends.
///
/// [WorkerSweep] answers each receive function once, so every sweep ends. [Engagement] detects the
/// end of the whole pass. docs/dist-autograd-proof.md has the argument.
public final class DistributedPass {
  private final ContextGraph graph;
  private final long number;
  private final AutogradPeers peers;
  private final PassThreads threads;
  private final PassLock lock;
  private final PassState state = new PassState();

  /// The span of the pass at its origin, or null. Every message carries it on.
  private volatile @Nullable TraceContext trace;

  /// Completed at the origin when the pass is over on every worker.
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

  /// Fixes what belongs to this pass: everything that was sent and received so far.
  ///
  /// @param losses where the pass starts, if it starts here
  public void begin(Collection<Node> losses) {
    WorkerSweep sweep = new WorkerSweep(graph, losses, this::computeBeside);
    state.begin(sweep, losses.isEmpty() ? null : over);
  }

  /// Sets the trace context of the pass, as its origin or a message gives it.
  public void tracedIn(@Nullable TraceContext origin) {
    trace = origin;
  }

  /// Returns whether other workers still have to wait for this one.
  public boolean isRunning() {
    return state.isEngaged();
  }

  /// Runs everything that the losses make ready, on the worker where the pass starts.
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

  /// Handles a message of the pass and runs everything that it makes ready.
  ///
  /// @return a future of the gradients for the sender. A message that engages this worker is
  ///     answered when the worker is idle again, any other at once.
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

  /// Answers a receive function that came too late to be part of this pass. Does not block: a hook
  /// may wait for the message that carried its tensors.
  public void answerNone(ReceiveNode node) {
    lock.runWithoutWaiting(() -> work(sweep -> sweep.answerNone(node)));
  }

  /// Does work for the pass, unless it is over, and sends the resulting messages.
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

  /// Makes another thread compute gradients of leaves, in parallel with the sweep.
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

  /// Sends each peer its message, whose answer goes to [#answered]. The lock is not held meanwhile,
  /// since large gradients take time.
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

  /// Handles an answer on this thread, or on a virtual one if the work may block and this thread
  /// must not.
  private Future<Void> take(String peer, List<Gradients> answer) {
    return lock.run(
        state::awaitsUserCode,
        () -> {
          work(sweep -> state.answered(sweep, peer, answer));
          return Future.succeededFuture();
        });
  }

  /// Returns the workers that have not answered all messages of this one; none if a function is
  /// still running here.
  public List<String> awaitedPeers() {
    return lock.tryHold(state::awaitedPeers, List.of());
  }

  /// Records that the pass is over on every worker.
  public void finish() {
    lock.runHolding(state::finish);
  }

  /// Ends the pass with an error, here and on every worker that it may have reached. Does not
  /// block.
  public void fail(Throwable cause) {
    lock.runWithoutWaiting(() -> failHere(cause));
  }

  private void failHere(Throwable cause) {
    if (lock.hold(() -> state.fail(() -> cause))) {
      graph.neighbours().forEach(peer -> peers.tellFailure(peer, graph.id(), number, cause));
    }
  }

  /// Ends this worker's part, unless it has ended. Does not block.
  ///
  /// @param cause called only if needed, since creating an error is slow
  public void abandon(Supplier<Throwable> cause) {
    lock.runWithoutWaiting(() -> lock.hold(() -> state.fail(cause)));
  }
}
