// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One worker's part of a distributed autograd context: where tensors left and arrived, the
/// passes that run, and the gradients that they left here. Guards itself.
public final class WorkerContext {
  private final Contexts contexts;
  private final long id;
  private final Map<Long, SendNode> sends = new HashMap<>();
  private final Set<ReceiveNode> receives = new LinkedHashSet<>();
  private final Set<String> peers = new HashSet<>();

  /// Peers whose last tracked message with this worker went to them, not from them.
  private final Set<String> toStart = new HashSet<>();

  private final Map<Long, DistributedPass> passes = new HashMap<>();
  private final IdentityHashMap<Tensor, Tensor> gradients = new IdentityHashMap<>();

  /// Why no pass of this context can be right any more, or null.
  private @Nullable Throwable broken;

  WorkerContext(Contexts contexts, long id) {
    this.contexts = contexts;
    this.id = id;
  }

  /// The context's id, the same on every worker.
  public long id() {
    return id;
  }

  /// The sum of what all passes left for each leaf of this worker.
  public synchronized Map<Tensor, Tensor> gradients() {
    return Collections.unmodifiableMap(new IdentityHashMap<>(gradients));
  }

  /// Notes that a message of this context goes to `peer`: it is to hear of the end.
  synchronized void addPeer(String peer) {
    peers.add(peer);
  }

  /// Records that tracked tensors leave for `peer` in the message of this name.
  synchronized void recordSend(String peer, long message, List<Tensor> tracked) {
    sends.put(message, new SendNode(peer, tracked));
    toStart.add(peer);
  }

  /// Records the arrival of a message's tracked tensors and makes the tensors.
  List<Tensor> recordReceive(String peer, Payload payload) {
    int tracked = (int) payload.tensors().stream().filter(WireTensor::tracked).count();
    ReceiveNode node = new ReceiveNode(peer, payload.graph().message(), tracked);
    List<DistributedPass> running;
    synchronized (this) {
      receives.add(node);
      toStart.remove(peer);
      running = List.copyOf(passes.values());
    }
    // A pass that has begun counts on nothing that arrives later, but its sender may wait.
    running.forEach(pass -> pass.answerNone(node));
    return Tensors.received(payload.tensors(), node);
  }

  /// The pass of this number, begun now if it is new here; null if a later one of the same worker
  /// has begun, which waits for it no more.
  ///
  /// @param losses where the pass starts, if it starts here
  synchronized @Nullable DistributedPass pass(long number, Collection<Node> losses) {
    if (broken != null) {
      throw new IllegalStateException(
          "autograd context "
              + id
              + " has no gradients any more, since a call in it was not answered ("
              + broken.getMessage()
              + "); close it and begin again",
          broken);
    }
    if (passes.keySet().stream().anyMatch(later -> Contexts.isEarlier(number, later))) {
      return null;
    }
    DistributedPass pass = passes.get(number);
    if (pass == null) {
      passes.keySet().removeIf(earlier -> Contexts.isEarlier(earlier, number));
      pass = new DistributedPass(contexts, this, number);
      passes.put(number, pass);
      pass.begin(sends.values(), losses, receives, toStart);
    }
    return pass;
  }

  /// Gives the context up: a call in it was not answered, so nobody knows what became of its
  /// tensors.
  public void breakOff(Throwable error) {
    List<DistributedPass> running;
    synchronized (this) {
      broken = error;
      running = List.copyOf(passes.values());
    }
    running.forEach(pass -> pass.fail(error));
  }

  /// A gradient that belongs to another context must not get lost in this one.
  synchronized void requireMine(ReceiveNode node) {
    if (!receives.contains(node)) {
      throw new IllegalStateException(
          "a tensor that came from "
              + node.peer()
              + " in another autograd context is used in context "
              + id
              + "; carry it over with detach()");
    }
  }

  /// Where the sends went for which `test` holds.
  synchronized List<String> peersOf(Predicate<Node> test) {
    return sends.values().stream().filter(test).map(SendNode::peer).distinct().toList();
  }

  synchronized @Nullable SendNode send(long message) {
    return sends.get(message);
  }

  synchronized void accumulate(Tensor leaf, Tensor gradient) {
    gradients.merge(leaf, gradient, Tensor::add);
  }

  /// Fails the passes that a worker took part in which has left.
  void workerLost(String worker, RpcException error) {
    List<DistributedPass> touched;
    synchronized (this) {
      boolean involved =
          peers.contains(worker)
              || receives.stream().anyMatch(node -> node.peer().equals(worker))
              || sends.values().stream().anyMatch(node -> node.peer().equals(worker));
      touched = involved ? List.copyOf(passes.values()) : List.of();
    }
    touched.forEach(pass -> pass.fail(error));
  }

  /// Forgets everything and returns the peers that have to do the same.
  Set<String> release() {
    List<DistributedPass> ended;
    Set<String> known;
    synchronized (this) {
      ended = List.copyOf(passes.values());
      known = Set.copyOf(peers);
      sends.clear();
      receives.clear();
      passes.clear();
      gradients.clear();
    }
    ended.forEach(
        pass -> pass.fail(new IllegalStateException("autograd context " + id + " was closed")));
    return known;
  }
}
