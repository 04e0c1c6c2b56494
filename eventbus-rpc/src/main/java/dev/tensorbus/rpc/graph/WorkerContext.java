// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.time.Duration;
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
  /// After which time a part asks whether its context is still open.
  private static final long LEASE_NANOS = Duration.ofSeconds(2).toNanos();

  private final Contexts contexts;
  private final long id;
  private final Map<Long, SendNode> sends = new HashMap<>();
  private final Set<ReceiveNode> receives = new LinkedHashSet<>();

  /// Workers that hear of the end from this one.
  private final Set<String> peers = new HashSet<>();

  /// Peers whose last tracked message with this worker went to them, not from them.
  private final Set<String> toStart = new HashSet<>();

  private final Map<Long, DistributedPass> passes = new HashMap<>();
  private final IdentityHashMap<Tensor, Tensor> gradients = new IdentityHashMap<>();
  private long asked = System.nanoTime();
  private boolean released;

  /// Why no pass of this context can be right any more, or null.
  private @Nullable RuntimeException broken;

  WorkerContext(Contexts contexts, long id) {
    this.contexts = contexts;
    this.id = id;
  }

  /// The context's id, the same on every worker.
  public long id() {
    return id;
  }

  /// What records in this context.
  public Recording recording() {
    return new Recording(contexts, id);
  }

  /// Runs a backward pass from these losses over every worker of the context. Blocks until every
  /// gradient is in its place.
  ///
  /// @throws RpcException if a worker fails, leaves, or does not answer in time
  public void backward(List<Tensor> losses) {
    contexts.propagation().backward(this, contexts.nextNumber(), losses);
  }

  /// The sum of what all passes left for each leaf of this worker.
  public synchronized Map<Tensor, Tensor> gradients() {
    return Collections.unmodifiableMap(new IdentityHashMap<>(gradients));
  }

  /// Notes that `peer` may have a part of this context; whether this one is there to tell it of
  /// the end.
  synchronized boolean addPeer(String peer) {
    peers.add(peer);
    return !released;
  }

  /// Records that tracked tensors leave for `peer` in the message of this name, unless the
  /// context is over.
  synchronized boolean recordSend(String peer, long message, List<Tensor> tracked) {
    if (!released) {
      sends.put(message, new SendNode(peer, tracked));
      toStart.add(peer);
    }
    return !released;
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
    requireWhole();
    if (isPast(number)) {
      return null;
    }
    DistributedPass pass = passes.get(number);
    if (pass == null) {
      passes.keySet().removeIf(earlier -> Numbers.isEarlier(earlier, number));
      pass = new DistributedPass(contexts.propagation(), this, number);
      passes.put(number, pass);
      pass.begin(sends.values(), losses, receives, toStart);
    }
    return pass;
  }

  private boolean isPast(long number) {
    return passes.keySet().stream().anyMatch(later -> Numbers.isEarlier(number, later));
  }

  private void requireWhole() {
    RuntimeException why = broken;
    if (why == null) {
      return;
    }
    String message =
        "autograd context %d has no gradients any more, since %s; close it and begin again"
            .formatted(id, why.getMessage());
    throw why.getCause() instanceof NoSuchWorkerException gone
        ? new NoSuchWorkerException(gone.worker(), message, true)
        : new IllegalStateException(message, why.getCause());
  }

  /// Gives the context up.
  ///
  /// @param why ends "has no gradients any more, since "
  void breakOff(String why, Throwable error) {
    List<DistributedPass> running;
    synchronized (this) {
      broken = new IllegalStateException(why, error);
      running = List.copyOf(passes.values());
    }
    running.forEach(pass -> pass.fail(error));
  }

  /// Gives the context up if a worker took part that has left.
  void workerLost(String worker, RpcException error) {
    if (neighbours().contains(worker)) {
      synchronized (this) {
        asked -= LEASE_NANOS; // it may have been the only one to tell of the end
      }
      breakOff(worker + " left", error);
    }
  }

  /// Takes it that a pass has failed elsewhere.
  void passFailed(long number, Throwable error) {
    DistributedPass pass;
    synchronized (this) {
      if (released || isPast(number)) {
        return;
      }
      // One that comes here after its failure never begins.
      pass =
          passes.computeIfAbsent(
              number, key -> new DistributedPass(contexts.propagation(), this, key));
    }
    pass.fail(error);
  }

  /// The workers that this one has exchanged messages of the context with.
  synchronized Set<String> neighbours() {
    Set<String> all = new HashSet<>(peers);
    receives.forEach(node -> all.add(node.peer()));
    sends.values().forEach(node -> all.add(node.peer()));
    return all;
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
    if (!released) {
      gradients.merge(leaf, gradient, Tensor::add);
    }
  }

  /// Puts others in the place of these leaves' gradients.
  public synchronized void replaceGradients(IdentityHashMap<Tensor, Tensor> replaced) {
    if (!released) {
      gradients.putAll(replaced);
    }
  }

  /// How many passes run here.
  synchronized long passes() {
    return passes.values().stream().filter(DistributedPass::isRunning).count();
  }

  /// How many messages with tracked tensors have left.
  synchronized long sends() {
    return sends.size();
  }

  /// How many messages with tracked tensors have come.
  synchronized long receives() {
    return receives.size();
  }

  /// Whether it is time to ask if the context is still open; it is asked then.
  synchronized boolean takeDue() {
    long now = System.nanoTime();
    boolean isDue = now - asked >= LEASE_NANOS;
    asked = isDue ? now : asked;
    return isDue;
  }

  /// Forgets everything and returns the peers that have to do the same.
  Set<String> release() {
    List<DistributedPass> ended;
    synchronized (this) {
      released = true;
      ended = List.copyOf(passes.values());
      sends.clear();
      receives.clear();
      passes.clear();
      gradients.clear();
    }
    // An error takes longer to make than all else here, and few passes have yet to end.
    ended.stream().filter(pass -> !pass.hasEnded()).forEach(pass -> pass.end(wasClosed()));
    return peers;
  }

  private IllegalStateException wasClosed() {
    return new IllegalStateException("autograd context " + id + " was closed");
  }
}
