// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.BackwardPass;
import dev.tensorbus.autograd.Leaf;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One worker's part of one backward pass.
///
/// Each receive function answers its sender once, with gradients or with *none*, so every sweep
/// ends. The end of the whole pass is found as Dijkstra and Scholten do ("Termination detection
/// for diffusing computations", 1980): the first message that reaches an idle worker is answered
/// only when this worker has nothing left to do and every message that it sent is answered; all
/// other messages are answered at once. docs/dist-autograd.md has the argument.
final class DistributedPass {
  /// The message that only tells a worker that the pass has begun.
  static final long START = 0;

  private final Contexts contexts;
  private final WorkerContext context;
  private final long number;
  private final List<Answer> outbox = new ArrayList<>();

  private @Nullable BackwardPass sweep;
  private int unanswered;
  private @Nullable Promise<Void> engagement;
  private @Nullable Throwable failure;
  private boolean finished;

  DistributedPass(Contexts contexts, WorkerContext context, long number) {
    this.contexts = contexts;
    this.context = context;
    this.number = number;
  }

  /// What goes out to a peer.
  private record Answer(String peer, long message, List<@Nullable Tensor> gradients) {}

  /// Fixes what belongs to this pass: all that was sent and received so far.
  ///
  /// @param toStart peers that may hear of the pass in no other way
  synchronized void begin(
      Collection<SendNode> sends,
      Collection<Node> losses,
      Collection<ReceiveNode> receives,
      Set<String> toStart) {
    List<Node> roots = new ArrayList<>(sends);
    roots.addAll(losses);
    BackwardPass begun = new BackwardPass(roots, this::end);
    sweep = begun;
    receives.stream().filter(node -> !begun.awaits(node)).forEach(node -> answer(node, List.of()));
    toStart.forEach(peer -> outbox.add(new Answer(peer, START, List.of())));
  }

  private void end(Node node, @Nullable Tensor[] gradients) {
    if (node instanceof ReceiveNode receive) {
      context.requireMine(receive);
      boolean none = Arrays.stream(gradients).allMatch(gradient -> gradient == null);
      answer(receive, none ? List.of() : Arrays.asList(gradients));
    } else if (node instanceof Leaf leaf && gradients[0] != null) {
      context.accumulate(leaf.tensor(), gradients[0]);
    }
  }

  private void answer(ReceiveNode node, List<@Nullable Tensor> gradients) {
    outbox.add(new Answer(node.peer(), node.message(), gradients));
  }

  /// Answers a receive function that came too late to be part of this pass.
  void answerNone(ReceiveNode node) {
    List<Answer> out;
    synchronized (this) {
      if (failure != null) {
        return;
      }
      answer(node, List.of());
      out = takeOutbox();
    }
    send(out);
  }

  /// Takes the gradients of these roots, or of none to only begin, and runs what they make ready.
  ///
  /// @return done when this worker need not be waited for any more
  Future<Void> resolve(List<? extends Node> roots, List<List<@Nullable Tensor>> gradients) {
    Future<Void> idle;
    List<Answer> out;
    synchronized (this) {
      if (failure != null) {
        return Future.failedFuture(failure);
      }
      idle = engage();
      try {
        sweep(roots, gradients);
      } catch (RuntimeException | Error e) {
        fail(e);
        return Future.failedFuture(e);
      }
      out = takeOutbox();
      disengageIfIdle();
    }
    send(out);
    return idle;
  }

  /// Who brings an idle worker to work is answered when it is idle again; others at once.
  private Future<Void> engage() {
    if (engagement != null) {
      return Future.succeededFuture();
    }
    Promise<Void> engaged = Promise.promise();
    engagement = engaged;
    return engaged.future();
  }

  private void sweep(List<? extends Node> roots, List<List<@Nullable Tensor>> gradients) {
    BackwardPass begun = sweep;
    NoGrad.call(
        () -> {
          for (int index = 0; index < roots.size(); index++) {
            Node root = roots.get(index);
            if (begun != null && begun.awaits(root)) {
              begun.resolve(root, filled(gradients.get(index), root));
            }
          }
          return true;
        });
  }

  /// *None* travels as an empty list.
  private static List<@Nullable Tensor> filled(List<@Nullable Tensor> gradients, Node root) {
    return gradients.isEmpty() ? Collections.nCopies(root.outputs(), null) : gradients;
  }

  private List<Answer> takeOutbox() {
    List<Answer> out = List.copyOf(outbox);
    outbox.clear();
    unanswered += out.size();
    return out;
  }

  /// Sends outside of the monitor; each message's own answer comes back to [#answered].
  private void send(List<Answer> out) {
    for (Answer answer : out) {
      contexts
          .deliver(answer.peer(), context.id(), number, answer.message(), answer.gradients())
          .onComplete(done -> answered(done.cause()));
    }
  }

  private synchronized void answered(@Nullable Throwable cause) {
    unanswered--;
    if (cause != null) {
      fail(cause);
    }
    disengageIfIdle();
  }

  /// The workers that have not answered all that this one sent them.
  synchronized List<String> awaitedPeers() {
    BackwardPass running = sweep;
    return running == null ? List.of() : context.peersOf(running::awaits);
  }

  private void disengageIfIdle() {
    Promise<Void> engaged = engagement;
    boolean done = sweep == null || sweep.isDone();
    if (done && unanswered == 0 && engaged != null) {
      engagement = null;
      engaged.complete();
    }
  }

  /// Notes that the pass is over on every worker: nobody waits for an answer any more.
  synchronized void finish() {
    finished = true;
    sweep = null;
  }

  /// Ends this worker's part with an error, which travels to the worker that began the pass.
  synchronized void fail(Throwable cause) {
    if (finished) {
      return;
    }
    if (failure == null) {
      failure = cause;
    }
    Promise<Void> engaged = engagement;
    if (engaged != null) {
      engagement = null;
      engaged.tryFail(cause);
    }
    sweep = null;
  }
}
