// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Leaf;
import dev.tensorbus.autograd.graph.LeafGradients;
import dev.tensorbus.autograd.graph.Node;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One worker's data for an autograd context: its send and receive functions, the workers that take
/// part, and the gradients that passes accumulated here. Thread-safe.
public final class ContextGraph implements LeafGradients {
  private final long id;
  private final String worker;
  private final Map<Long, SendNode> sends = new HashMap<>();
  private final Set<ReceiveNode> receives = new LinkedHashSet<>();

  /// Workers that this worker notifies when the context ends.
  private final Set<String> peers = new HashSet<>();

  /// Workers from which a call or pass of the context arrived, with or without tracked tensors.
  private final Set<String> callers = new HashSet<>();

  /// Peers to which this worker has sent a tracked message since it last received one from them.
  /// They get a START message in each pass.
  private final Set<String> toStart = new HashSet<>();

  private final IdentityHashMap<Tensor, Tensor> gradients = new IdentityHashMap<>();
  private final Set<Consumer<LeafGradients>> after = new LinkedHashSet<>();
  private boolean released;

  /// Creates an empty part of the context with this id.
  ///
  /// @param worker the name of this worker
  public ContextGraph(long id, String worker) {
    this.id = id;
    this.worker = worker;
  }

  /// Returns the name of this worker.
  String worker() {
    return worker;
  }

  /// Returns the context's id, the same on every worker.
  public long id() {
    return id;
  }

  /// The send and receive functions recorded before a pass.
  ///
  /// @param toStart peers that may learn of the pass only from a START message
  record Snapshot(List<SendNode> sends, List<ReceiveNode> receives, List<String> toStart) {}

  synchronized Snapshot snapshot() {
    return new Snapshot(List.copyOf(sends.values()), List.copyOf(receives), List.copyOf(toStart));
  }

  /// Records that `peer` may have a part of this context.
  ///
  /// @return whether this worker will notify the peer when the context ends; false if it has ended
  public synchronized boolean addPeer(String peer) {
    peers.add(peer);
    return !released;
  }

  /// Records that a call or pass of the context arrived from a worker.
  public synchronized void addCaller(String worker) {
    callers.add(worker);
  }

  /// Returns whether this worker has exchanged a message of the context with the given worker.
  public synchronized boolean knows(String worker) {
    return callers.contains(worker) || neighbours().contains(worker);
  }

  /// Records that tracked tensors are sent to `peer` in the message with this id. Records nothing
  /// and returns false if the context is over.
  public synchronized boolean recordSend(String peer, long message, List<Tensor> tracked) {
    if (!released) {
      sends.put(message, new SendNode(peer, tracked));
      toStart.add(peer);
    }
    return !released;
  }

  /// Records that tracked tensors have arrived.
  public synchronized void recordReceive(ReceiveNode node) {
    receives.add(node);
    toStart.remove(node.peer());
  }

  synchronized @Nullable SendNode send(long message) {
    return sends.get(message);
  }

  /// Returns the peers of the send functions that satisfy `test`.
  synchronized List<String> peersOf(Predicate<Node> test) {
    return sends.values().stream().filter(test).map(SendNode::peer).distinct().toList();
  }

  /// Returns the workers that exchanged tracked tensors with this worker, and those that may have a
  /// part of the context because this worker called them.
  public synchronized Set<String> neighbours() {
    Set<String> all = new HashSet<>(peers);
    receives.forEach(node -> all.add(node.peer()));
    sends.values().forEach(node -> all.add(node.peer()));
    return all;
  }

  /// Throws if this context is over, or if `node` was recorded in another context and its gradients
  /// would be lost in this one.
  synchronized void requireOwn(ReceiveNode node) {
    requireOpen();
    if (!receives.contains(node)) {
      throw new IllegalStateException(
          "a tensor received from "
              + node.peer()
              + " in another autograd context is used in context "
              + id
              + "; use its detach() there");
    }
  }

  synchronized void accumulate(Leaf leaf, Tensor gradient) {
    requireOpen();
    gradients.merge(leaf.tensor(), gradient, Tensor::add);
    after.addAll(leaf.after());
  }

  /// Removes and returns the pending actions of all leaves that have received gradients since the
  /// last call.
  public synchronized List<Consumer<LeafGradients>> takeAfter() {
    List<Consumer<LeafGradients>> taken = List.copyOf(after);
    after.clear();
    return taken;
  }

  private void requireOpen() {
    if (released) {
      throw wasClosed();
    }
  }

  /// Returns the error of a pass whose context was closed.
  public IllegalStateException wasClosed() {
    return new IllegalStateException("autograd context " + id + " was closed");
  }

  /// Returns, for each leaf of this worker, the sum of the gradients of all passes.
  public synchronized Map<Tensor, Tensor> gradients() {
    return Collections.unmodifiableMap(new IdentityHashMap<>(gradients));
  }

  @Override
  public synchronized @Nullable Tensor get(Tensor leaf) {
    return gradients.get(leaf);
  }

  @Override
  public synchronized void replace(IdentityHashMap<Tensor, Tensor> replaced) {
    if (!released) {
      gradients.putAll(replaced);
    }
  }

  /// Returns the number of sent messages with tracked tensors.
  public synchronized long sends() {
    return sends.size();
  }

  /// Returns the number of received messages with tracked tensors.
  public synchronized long receives() {
    return receives.size();
  }

  /// Returns whether the context is over on this worker.
  public synchronized boolean isReleased() {
    return released;
  }

  /// Ends the context on this worker: discards its data and returns the peers to notify.
  public synchronized Set<String> release() {
    released = true;
    sends.clear();
    receives.clear();
    gradients.clear();
    after.clear();
    return Set.copyOf(peers);
  }
}
