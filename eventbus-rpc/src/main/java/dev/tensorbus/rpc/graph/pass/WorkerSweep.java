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

/// A backward sweep over this worker's part of the graph. Collects the gradients to send to each
/// peer.
///
/// The sweep covers the send and receive functions recorded before it. It starts at the send
/// functions and, on the origin, at the losses; it ends at leaves and receive functions. Each
/// receive function sends exactly one answer to the worker from which the tensors came: gradients
/// or *none*.
///
/// Guarded by the lock of the pass.
final class WorkerSweep {
  private final ContextGraph graph;
  private final Outbox outbox = new Outbox();
  private final SplitSchedule schedule;
  private final BackwardPass pass;

  /// @param losses the losses if this worker is the origin of the pass, otherwise empty
  /// @param executor runs a task concurrently with the sweep, and calls [#giveToLeaves] after each
  ///     task
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

  /// Registers a receive function. Answers *none* at once if no root depends on it.
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

  /// Handles gradients of send functions and runs every function that becomes ready. Ignores
  /// gradients from a worker that did not receive the tensors.
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

  /// Expands *none*, which is sent as an empty list, to a null per output.
  private static List<@Nullable Tensor> filled(List<@Nullable Tensor> gradients, Node root) {
    return gradients.isEmpty() ? Collections.nCopies(root.outputs(), null) : gradients;
  }

  /// Handles the gradients of a root and runs every function that becomes ready. Does nothing if
  /// the sweep does not await them.
  void resolve(Node root, List<@Nullable Tensor> gradients) {
    if (pass.awaits(root)) {
      pass.resolve(root, gradients);
    }
  }

  /// Passes to their leaves the gradients that were computed concurrently with the sweep.
  void giveToLeaves() {
    schedule.giveToLeaves(pass);
  }

  /// Answers *none* for a receive function that was recorded after the sweep began.
  void answerNone(ReceiveNode node) {
    outbox.none(node);
  }

  /// Removes and returns the gradients collected for each peer.
  Map<String, List<Gradients>> takeOutgoing() {
    return outbox.take();
  }

  /// Returns whether every function has run.
  boolean isDone() {
    return pass.isDone();
  }

  /// Returns whether a function that has not run yet, or a hook on it, is user code.
  boolean awaitsUserCode() {
    return pass.awaitsUserCode();
  }

  /// Returns the workers whose gradients have not arrived.
  List<String> awaitedPeers() {
    return graph.peersOf(pass::awaits);
  }
}
