// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.BackwardPass;
import dev.tensorbus.autograd.Leaf;
import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.wire.Gradients;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One worker's part of one backward pass.
///
/// Each receive function answers its sender once, with gradients or with *none*, so every sweep
/// ends. The end of the whole pass is found as Dijkstra and Scholten do ("Termination detection
/// for diffusing computations", 1980): the first message that reaches an idle worker is answered
/// only when this worker has nothing left to do and every message that it sent is answered; all
/// other messages are answered at once. docs/dist-autograd.md has the argument.
final class DistributedPass {
  private final Propagation propagation;
  private final WorkerContext context;
  private final long number;
  private final Outbox outbox = new Outbox();
  private final Promise<Void> over = Promise.promise();

  /// Guards what follows. Threads that are not virtual never wait for it: who has it may wait for
  /// a call that such a thread, an event loop or the clock, is to end.
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable BackwardPass sweep;
  private int unanswered;
  private volatile @Nullable Promise<Void> engagement;
  private @Nullable Throwable failure;
  private boolean finished;

  DistributedPass(Propagation propagation, WorkerContext context, long number) {
    this.propagation = propagation;
    this.context = context;
    this.number = number;
  }

  /// Fixes what belongs to this pass: all that was sent and received so far.
  ///
  /// @param toStart peers that may hear of the pass in no other way
  void begin(
      Collection<SendNode> sends,
      Collection<Node> losses,
      Collection<ReceiveNode> receives,
      Set<String> toStart) {
    List<Node> roots = new ArrayList<>(sends);
    roots.addAll(losses);
    BackwardPass begun = new BackwardPass(roots, this::end, this::computeApart);
    sweep = begun;
    // The worker where the pass begins is engaged from the first: others may hear of the pass
    // from a receive function that comes late, before the losses are resolved.
    engagement = losses.isEmpty() ? null : over;
    toStart.forEach(outbox::start);
    receives.stream().filter(node -> !begun.awaits(node)).forEach(outbox::none);
  }

  private void end(Node node, @Nullable Tensor[] gradients) {
    if (node instanceof ReceiveNode receive) {
      context.requireMine(receive);
      outbox.add(receive, gradients);
    } else if (node instanceof Leaf leaf && gradients[0] != null) {
      context.accumulate(leaf.tensor(), gradients[0]);
    }
  }

  /// Whether this worker has yet to be waited for.
  boolean isRunning() {
    return engagement != null;
  }

  /// Runs what the losses make ready, on the worker where the pass begins.
  ///
  /// @return done when the pass is over on every worker
  Future<Void> start(List<Node> losses, List<List<@Nullable Tensor>> gradients) {
    Future<Void> _ =
        work(
            () -> {
              for (int index = 0; index < losses.size(); index++) {
                resolve(losses.get(index), gradients.get(index));
              }
            });
    return over.future();
  }

  /// Takes a message of the pass and runs what it makes ready. Who brings an idle worker to work
  /// that lasts is answered when it is idle again; others at once, with what goes back to them.
  Future<List<Gradients>> receive(String from, List<Gradients> message) {
    return unlessItWaits(() -> take(from, message));
  }

  /// Does it on this thread, unless that must not wait, and somebody else is at work or a function
  /// is to run that may wait.
  private <T> Future<T> unlessItWaits(Supplier<Future<T>> work) {
    if (Thread.currentThread().isVirtual()) {
      return work.get();
    }
    if (lock.tryLock()) {
      try {
        BackwardPass running = sweep;
        if (running == null || !running.mayWait()) {
          return work.get();
        }
      } finally {
        lock.unlock();
      }
    }
    return propagation.aside(work);
  }

  private Future<List<Gradients>> take(String from, List<Gradients> message) {
    Promise<Void> engaged = null;
    List<Gradients> reply = List.of();
    Map<String, List<Gradients>> out;
    lock.lock();
    try {
      if (failure != null) {
        return Future.failedFuture(failure);
      }
      if (finished) {
        return Future.succeededFuture(List.of());
      }
      try {
        resolve(message);
      } catch (RuntimeException | Error e) {
        return Future.failedFuture(end(e) ? tell(e) : e);
      }
      out = outbox.take();
      if (isRunning() || (isIdle() && Set.of(from).containsAll(out.keySet()))) {
        reply = out.containsKey(from) ? out.remove(from) : reply;
      } else {
        engaged = Promise.promise();
        engagement = engaged;
      }
      unanswered += out.size();
      disengageIfIdle();
    } finally {
      lock.unlock();
    }
    send(out);
    return engaged == null
        ? Future.succeededFuture(reply)
        : engaged.future().map(done -> List.of());
  }

  /// Answers a receive function that came too late to be part of this pass.
  void answerNone(ReceiveNode node) {
    Future<Void> _ = unlessItWaits(() -> work(() -> outbox.none(node)));
  }

  /// Does something for the pass, and sends what comes of it.
  private Future<Void> work(Runnable task) {
    Map<String, List<Gradients>> out;
    lock.lock();
    try {
      if (failure != null) {
        return Future.succeededFuture();
      }
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        return failHere(e);
      }
      out = outbox.take();
      unanswered += out.size();
      disengageIfIdle();
    } finally {
      lock.unlock();
    }
    send(out);
    return Future.succeededFuture();
  }

  /// Has another thread compute what nobody waits for, beside the sweep.
  private void computeApart(Runnable task) {
    Future<Void> _ =
        propagation.aside(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                return failHere(e);
              }
              return work(this::handOn);
            });
  }

  private void handOn() {
    BackwardPass running = sweep;
    if (running != null) {
      running.handOn();
    }
  }

  private void resolve(List<Gradients> message) {
    for (Gradients gradients : message) {
      SendNode root = context.send(gradients.message());
      if (root != null) {
        resolve(root, filled(gradients.values(), root));
      }
    }
  }

  private void resolve(Node root, List<@Nullable Tensor> gradients) {
    BackwardPass begun = sweep;
    if (begun != null && begun.awaits(root)) {
      begun.resolve(root, gradients);
    }
  }

  /// *None* travels as an empty list.
  private static List<@Nullable Tensor> filled(List<@Nullable Tensor> gradients, Node root) {
    return gradients.isEmpty() ? Collections.nCopies(root.outputs(), null) : gradients;
  }

  /// Sends each peer its message, whose answer comes back to [#answered].
  private void send(Map<String, List<Gradients>> out) {
    out.forEach(
        (peer, gradients) ->
            propagation.deliver(peer, context.id(), number, gradients).onComplete(this::answered));
  }

  private void answered(AsyncResult<List<Gradients>> answer) {
    if (answer.failed()) {
      fail(answer.cause());
      return;
    }
    Runnable task =
        () -> {
          resolve(answer.result());
          unanswered--;
        };
    Future<Void> _ = propagation.unlessLong(() -> unlessItWaits(() -> work(task)));
  }

  /// The workers that have not answered all that this one sent them.
  List<String> awaitedPeers() {
    lock.lock();
    try {
      BackwardPass running = sweep;
      return running == null ? List.of() : context.peersOf(running::awaits);
    } finally {
      lock.unlock();
    }
  }

  private boolean isIdle() {
    return unanswered == 0 && (sweep == null || sweep.isDone());
  }

  private void disengageIfIdle() {
    Promise<Void> engaged = engagement;
    if (engaged != null && isIdle()) {
      engagement = null;
      engaged.complete();
    }
  }

  /// Whether this worker has no part in it any more.
  boolean hasEnded() {
    lock.lock();
    try {
      return finished || failure != null;
    } finally {
      lock.unlock();
    }
  }

  /// Notes that the pass is over on every worker: nobody waits for an answer any more. Whoever
  /// has told this one meanwhile of a message that came late is answered.
  void finish() {
    lock.lock();
    try {
      finished = true;
      sweep = null;
      Promise<Void> engaged = engagement;
      engagement = null;
      if (engaged != null) {
        engaged.complete();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends the pass with an error, here and on every worker that it can have reached.
  void fail(Throwable cause) {
    Future<Void> _ = unlessItWaits(() -> failHere(cause));
  }

  private Future<Void> failHere(Throwable cause) {
    if (end(cause)) {
      tell(cause);
    }
    return Future.succeededFuture();
  }

  private Throwable tell(Throwable cause) {
    propagation.tellFailure(context, number, cause);
    return cause;
  }

  /// Ends this worker's part with an error; whether it had not ended before.
  boolean end(Throwable cause) {
    lock.lock();
    try {
      if (hasEnded()) {
        return false;
      }
      failure = cause;
      sweep = null;
      Promise<Void> engaged = engagement;
      engagement = null;
      if (engaged != null) {
        engaged.fail(cause);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
