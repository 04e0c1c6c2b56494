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

/// The data of a context on one worker: where tensors left and arrived, which workers take part,
/// and the gradients that passes left here. Guards itself.
public final class ContextGraph implements LeafGradients {
  private final long id;
  private final String worker;
  private final Map<Long, SendNode> sends = new HashMap<>();
  private final Set<ReceiveNode> receives = new LinkedHashSet<>();

  /// Workers that this one tells of the end.
  private final Set<String> peers = new HashSet<>();

  /// Workers whose calls or passes brought the context here, with tracked tensors or without.
  private final Set<String> callers = new HashSet<>();

  /// Peers whose last tracked message with this worker went to them, not from them.
  private final Set<String> toStart = new HashSet<>();

  private final IdentityHashMap<Tensor, Tensor> gradients = new IdentityHashMap<>();
  private final Set<Consumer<LeafGradients>> after = new LinkedHashSet<>();
  private boolean released;

  /// An empty part of the context of this id.
  ///
  /// @param worker the name of this worker
  public ContextGraph(long id, String worker) {
    this.id = id;
    this.worker = worker;
  }

  /// The name of this worker.
  String worker() {
    return worker;
  }

  /// The context's id, the same on every worker.
  public long id() {
    return id;
  }

  /// Everything that was sent and received up to a moment.
  ///
  /// @param toStart peers that may hear of a pass in no other way
  record Snapshot(List<SendNode> sends, List<ReceiveNode> receives, List<String> toStart) {}

  synchronized Snapshot snapshot() {
    return new Snapshot(List.copyOf(sends.values()), List.copyOf(receives), List.copyOf(toStart));
  }

  /// Notes that `peer` may have a part of this context.
  ///
  /// @return whether this worker will tell it of the end
  public synchronized boolean addPeer(String peer) {
    peers.add(peer);
    return !released;
  }

  /// Notes that a call or a pass of this worker belongs to the context.
  public synchronized void addCaller(String worker) {
    callers.add(worker);
  }

  /// Whether a worker has exchanged a message of the context with this one.
  public synchronized boolean knows(String worker) {
    return callers.contains(worker) || neighbours().contains(worker);
  }

  /// Records that tracked tensors leave for `peer` in the message of this id, unless the context is
  /// over.
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

  /// Where the send functions went for which `test` holds.
  synchronized List<String> peersOf(Predicate<Node> test) {
    return sends.values().stream().filter(test).map(SendNode::peer).distinct().toList();
  }

  /// The workers that this one has exchanged messages of the context with.
  public synchronized Set<String> neighbours() {
    Set<String> all = new HashSet<>(peers);
    receives.forEach(node -> all.add(node.peer()));
    sends.values().forEach(node -> all.add(node.peer()));
    return all;
  }

  /// Refuses a receive function of another context, whose gradient would get lost in this one.
  synchronized void requireOwn(ReceiveNode node) {
    requireOpen();
    if (!receives.contains(node)) {
      throw new IllegalStateException(
          "a tensor that came from "
              + node.peer()
              + " in another autograd context is used in context "
              + id
              + "; carry it over with detach()");
    }
  }

  synchronized void accumulate(Leaf leaf, Tensor gradient) {
    requireOpen();
    gradients.merge(leaf.tensor(), gradient, Tensor::add);
    after.addAll(leaf.after());
  }

  /// Takes out what the leaves ask for that got gradients since the last time.
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

  /// The error of a pass whose context was closed.
  public IllegalStateException wasClosed() {
    return new IllegalStateException("autograd context " + id + " was closed");
  }

  /// The sum of the gradients that all passes left for each leaf of this worker.
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

  /// How many messages with tracked tensors have left.
  public synchronized long sends() {
    return sends.size();
  }

  /// How many messages with tracked tensors have come.
  public synchronized long receives() {
    return receives.size();
  }

  /// Whether the context is over here.
  public synchronized boolean isReleased() {
    return released;
  }

  /// Forgets everything and returns the peers that have to do the same.
  public synchronized Set<String> release() {
    released = true;
    sends.clear();
    receives.clear();
    gradients.clear();
    after.clear();
    return Set.copyOf(peers);
  }
}
