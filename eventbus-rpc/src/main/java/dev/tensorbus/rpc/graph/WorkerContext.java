// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.IncomingValue;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import dev.tensorbus.rpc.graph.pass.ContextGraph;
import dev.tensorbus.rpc.graph.pass.DistributedPass;
import dev.tensorbus.rpc.graph.pass.PassThreads;
import dev.tensorbus.rpc.graph.pass.ReceiveNode;
import dev.tensorbus.rpc.observe.trace.ServedSpan;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One worker's part of a distributed autograd context. Manages its backward passes; [ContextGraph]
/// holds its data. Thread-safe.
public final class WorkerContext {
  /// The minimum interval between two queries about whether the context is still open.
  private static final long LEASE_NANOS = Duration.ofSeconds(2).toNanos();

  private final ContextGraph graph;
  private final AutogradPeers peers;
  private final PassThreads threads;
  private final Tracing tracing;
  private final Map<Long, DistributedPass> passes = new HashMap<>();
  private final NanoClock clock;
  private long asked;

  /// Why no pass of this context can be correct any more, or null.
  private @Nullable RuntimeException invalid;

  WorkerContext(
      long id,
      String worker,
      AutogradPeers peers,
      PassThreads threads,
      Tracing tracing,
      NanoClock clock) {
    this.graph = new ContextGraph(id, worker);
    this.peers = peers;
    this.threads = threads;
    this.tracing = tracing;
    this.clock = clock;
    this.asked = clock.nanoTime();
  }

  /// Returns the context's id, the same on every worker.
  public long id() {
    return graph.id();
  }

  /// Returns, for each leaf of this worker, the sum of the gradients of all passes.
  public Map<Tensor, Tensor> gradients() {
    return graph.gradients();
  }

  /// Returns the context's data on this worker.
  public ContextGraph graph() {
    return graph;
  }

  /// Records the tracked tensors of a value that arrived in the message with this id.
  void recordReceive(long message, IncomingValue value) {
    ReceiveNode node = new ReceiveNode(value.from().info().name(), message, value.tracked());
    List<DistributedPass> running;
    synchronized (this) { // no pass starts in between
      graph.recordReceive(node);
      running = List.copyOf(passes.values());
    }
    // A pass that has started does not include this node, but the sender of the tensors may wait
    // for the node's answer.
    running.forEach(pass -> pass.answerNone(node));
    value.replaceTensors(Tensors.received(value.arrived(), node));
  }

  /// Handles a message of a pass.
  Future<List<Gradients>> receiveGradients(
      String from, long number, @Nullable TraceContext trace, List<Gradients> gradients) {
    graph.addCaller(from);
    DistributedPass pass = pass(number, List.of());
    if (pass == null) {
      return Future.succeededFuture(List.of()); // over: nobody waits for the result
    }
    ServedSpan span = pass.isRunning() ? null : tracing.part(from, trace);
    pass.tracedIn(trace);
    Future<List<Gradients>> answer = pass.receive(from, gradients);
    return span == null ? answer : answer.andThen(done -> span.end(done.cause()));
  }

  /// Returns whether another worker takes part in the context, as far as this one knows.
  boolean knows(WorkerInfo worker) {
    return IdGenerator.rankOf(id()) == worker.id() || graph.knows(worker.name());
  }

  /// Returns the pass with this number, creating it if necessary, or null if its origin has started
  /// a later pass and so no longer waits for this one.
  ///
  /// @param losses the losses if this worker is the origin of the pass, otherwise empty
  synchronized @Nullable DistributedPass pass(long number, Collection<Node> losses) {
    requireOpen();
    requireValid();
    if (isPast(number)) {
      return null;
    }
    DistributedPass pass = passes.get(number);
    if (pass == null) {
      passes.keySet().removeIf(earlier -> IdGenerator.isEarlier(earlier, number));
      pass = new DistributedPass(graph, number, peers, threads);
      passes.put(number, pass);
      pass.begin(losses);
    }
    return pass;
  }

  private boolean isPast(long number) {
    return passes.keySet().stream().anyMatch(later -> IdGenerator.isEarlier(number, later));
  }

  /// Throws if the context is closed. Another thread may just have closed it.
  private void requireOpen() {
    if (graph.isReleased()) {
      throw graph.wasClosed();
    }
  }

  private void requireValid() {
    RuntimeException why = invalid;
    if (why == null) {
      return;
    }
    String message =
        "autograd context %d is invalid, because %s; close it and open a new one"
            .formatted(id(), why.getMessage());
    throw why.getCause() instanceof NoSuchWorkerException gone
        ? new NoSuchWorkerException(gone.worker(), message, true)
        : new IllegalStateException(message, why.getCause());
  }

  /// Invalidates the context: fails its passes and rejects new ones.
  ///
  /// @param why the reason, which completes "is invalid, because "
  void invalidate(String why, Throwable error) {
    List<DistributedPass> running;
    synchronized (this) {
      invalid = new IllegalStateException(why, error);
      running = List.copyOf(passes.values());
    }
    running.forEach(pass -> pass.fail(error));
  }

  /// Invalidates the context if the departed worker took part in it.
  void workerLost(String worker, RpcException error) {
    if (graph.neighbours().contains(worker)) {
      askSoon(); // perhaps no other worker will notify this one of the end
      invalidate(worker + " left", error);
    }
  }

  /// Ends this worker's part of a pass that has failed elsewhere.
  void passFailed(long number, Throwable error) {
    DistributedPass pass;
    synchronized (this) {
      if (graph.isReleased() || isPast(number)) {
        return;
      }
      // A failure may arrive before the pass itself, which then never starts.
      pass = passes.computeIfAbsent(number, key -> new DistributedPass(graph, key, peers, threads));
    }
    pass.fail(error);
  }

  /// Returns the number of passes running on this worker.
  synchronized long passes() {
    return passes.values().stream().filter(DistributedPass::isRunning).count();
  }

  /// Makes this worker ask soon whether the context is still open.
  synchronized void askSoon() {
    asked -= LEASE_NANOS;
  }

  /// Returns whether it is time to ask about the context. If so, restarts the interval.
  synchronized boolean takeDue() {
    long now = clock.nanoTime();
    boolean isDue = now - asked >= LEASE_NANOS;
    asked = isDue ? now : asked;
    return isDue;
  }

  /// Ends the context on this worker: discards its data, fails its passes and returns the peers to
  /// notify.
  Set<String> release() {
    List<DistributedPass> ended;
    Set<String> told;
    synchronized (this) {
      ended = List.copyOf(passes.values());
      passes.clear();
      told = graph.release();
    }
    ended.forEach(pass -> pass.abandon(graph::wasClosed));
    return told;
  }
}
