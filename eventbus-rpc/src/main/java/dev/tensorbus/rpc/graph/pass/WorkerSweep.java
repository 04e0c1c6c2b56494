// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.BackwardPass;
import dev.tensorbus.autograd.graph.Leaf;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.jfr.BackwardEvent;
import dev.tensorbus.rpc.wire.Gradients;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One pass's sweep over this worker's part of the graph, and the gradients that it has for each
/// peer.
///
/// The sweep covers everything that was sent and received before it. Its roots are the send
/// functions, and the losses where the pass begins. Its ends are leaves and receive functions. Each
/// receive function answers its sender once, with gradients or with *none*.
///
/// The lock of the pass guards this.
final class WorkerSweep {
  private final ContextGraph graph;
  private final Outbox outbox = new Outbox();
  private final SplitSchedule schedule;
  private final BackwardPass pass;

  /// @param losses the roots of the pass, if it begins here
  /// @param executor runs work beside the sweep and calls [#giveToLeaves] after it
  WorkerSweep(ContextGraph graph, Collection<Node> losses, Consumer<Runnable> executor) {
    this.graph = graph;
    schedule = new SplitSchedule(executor);
    ContextGraph.Snapshot recorded = graph.snapshot();
    List<Node> roots = new ArrayList<>(recorded.sends());
    roots.addAll(losses);
    pass = new BackwardPass(roots, this::end, schedule);
    recorded.toStart().forEach(outbox::start);
    recorded.receives().forEach(this::expect);
  }

  /// A receive function that no root leads to answers at once.
  private void expect(ReceiveNode node) {
    if (pass.awaits(node)) {
      schedule.expectReceive();
    } else {
      outbox.none(node);
    }
  }

  private void end(Node node, @Nullable Tensor[] gradients) {
    if (node instanceof ReceiveNode receive) {
      graph.requireOwn(receive);
      BackwardEvent event = event(BackwardEvent.RECEIVE, receive.peer(), receive.message());
      schedule.answeredReceive();
      outbox.add(receive, gradients);
      event.commit();
    } else if (node instanceof Leaf leaf && gradients[0] != null) {
      graph.accumulate(leaf, gradients[0]);
    }
  }

  /// Takes the gradients of send functions and runs all that they make ready. Only the worker that
  /// got the tensors has their gradients.
  void resolve(String from, List<Gradients> message) {
    for (Gradients gradients : message) {
      SendNode root = graph.send(gradients.message());
      if (root != null && root.peer().equals(from)) {
        BackwardEvent event = event(BackwardEvent.SEND, root.peer(), gradients.message());
        resolve(root, filled(gradients.values(), root));
        event.commit();
      }
    }
  }

  private BackwardEvent event(String part, String peer, long message) {
    return BackwardEvent.begun(part, graph.worker(), peer, graph.id(), message);
  }

  /// *None* travels as an empty list.
  private static List<@Nullable Tensor> filled(List<@Nullable Tensor> gradients, Node root) {
    return gradients.isEmpty() ? Collections.nCopies(root.outputs(), null) : gradients;
  }

  /// Takes the gradients of a root and runs all that they make ready.
  void resolve(Node root, List<@Nullable Tensor> gradients) {
    if (pass.awaits(root)) {
      pass.resolve(root, gradients);
    }
  }

  /// Gives leaves the gradients that were computed beside the sweep.
  void giveToLeaves() {
    schedule.giveToLeaves(pass);
  }

  /// Answers a receive function that came too late to be part of the sweep.
  void answerNone(ReceiveNode node) {
    outbox.none(node);
  }

  /// The gradients that have come up for each peer since the last time.
  Map<String, List<Gradients>> takeOutgoing() {
    return outbox.take();
  }

  /// Whether every function has run.
  boolean isDone() {
    return pass.isDone();
  }

  /// Whether a function that has yet to run, or a hook on it, is a user's code.
  boolean awaitsUserCode() {
    return pass.awaitsUserCode();
  }

  /// The workers whose gradients have yet to come.
  List<String> awaitedPeers() {
    return graph.peersOf(pass::awaits);
  }
}
