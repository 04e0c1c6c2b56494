// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallScope;
import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.call.caller.Caller;
import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import dev.tensorbus.rpc.world.membership.MembershipListeners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Implements the public interface of a worker on the Vert.x event bus. [WorkerAssembly] creates
/// the instance.
final class EventBusRpc implements Rpc {
  private final Vertx vertx;
  private final Membership membership;
  private final Caller caller;
  private final CallEngine engine;
  private final WorkerParts parts;
  private final Collectives collectives;
  private final ShutdownProtocol shutdown;
  private final MembershipListeners listeners;
  private final DebugInfo info;
  private final StatusSource status;
  private final int worldSize;
  private final Duration heartbeatTimeout;

  /// The default timeout of calls.
  private final Duration timeout;

  EventBusRpc(
      WorkerBase base,
      CallEngine engine,
      WorkerParts parts,
      Collectives collectives,
      ShutdownProtocol shutdown,
      MembershipListeners listeners,
      DebugInfo info,
      StatusSource status) {
    this.vertx = base.vertx;
    this.membership = base.membership;
    this.caller = engine.caller;
    this.engine = engine;
    this.parts = parts;
    this.collectives = collectives;
    this.shutdown = shutdown;
    this.listeners = listeners;
    this.info = info;
    this.status = status;
    this.worldSize = base.options.worldSize();
    this.heartbeatTimeout = base.options.heartbeatTimeout();
    this.timeout = base.options.timeout();
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public WorkerInfo self() {
    return membership.self().info();
  }

  @Override
  public int worldSize() {
    return worldSize;
  }

  @Override
  public Duration heartbeatTimeout() {
    return heartbeatTimeout;
  }

  @Override
  public List<WorkerInfo> workers() {
    return membership.workers();
  }

  @Override
  public WorkerInfo worker(String name) {
    return membership.requireMember(name).info();
  }

  @Override
  public WorkerInfo worker(int rank) {
    return membership.requireRank(rank).info();
  }

  @Override
  public Future<WorkerInfo> awaitWorker(String name, Duration limit) {
    Duration most = TimeLimit.of("limit", limit);
    return caller.after(membership.whenJoined(name, most).map(Member::info));
  }

  @Override
  public Future<Void> ready() {
    return caller.after(membership.ready());
  }

  @Override
  public void onWorkerLost(Consumer<WorkerInfo> listener) {
    listeners.onLost(listener);
  }

  @Override
  public void onWorkerJoined(Consumer<WorkerInfo> listener) {
    listeners.onJoined(listener);
  }

  @Override
  public void onCallEnded(Consumer<EndedCall> listener) {
    engine.ended.add(listener);
  }

  @Override
  public <R> R span(String name, Supplier<R> body) {
    return engine.tracing.span(name, body);
  }

  @Override
  public <T> T shared(Class<T> type, Supplier<T> first) {
    return parts.getOrCreate(type, first);
  }

  @Override
  public <T> RRef<T> rref(T value) {
    return engine.references.own(value);
  }

  @Override
  public <R> Future<R> send(CharSequence to, Call<R> call) {
    return caller.send(Target.worker(to.toString()), call);
  }

  @Override
  public CallScope scope() {
    return new CollectingScope(this);
  }

  @Override
  public <T> Map<String, T> allGather(T value) {
    return waited(() -> allGatherAsync(value));
  }

  @Override
  public <T> Map<String, T> allGather(Collection<String> names, T value) {
    return allGather(names, value, timeout);
  }

  @Override
  public <T> Map<String, T> allGather(Collection<String> names, T value, Duration limit) {
    return waited(() -> allGatherAsync(names, value, limit));
  }

  @Override
  public <T> Future<Map<String, T>> allGatherAsync(T value) {
    return caller.after(collectives.meet("allGather", value, timeout));
  }

  @Override
  public <T> Future<Map<String, T>> allGatherAsync(Collection<String> names, T value) {
    return allGatherAsync(names, value, timeout);
  }

  @Override
  public <T> Future<Map<String, T>> allGatherAsync(
      Collection<String> names, T value, Duration limit) {
    return caller.after(collectives.meet("allGather", names, value, limit));
  }

  @Override
  public List<@Nullable Tensor> allReduce(
      Collection<String> names, List<@Nullable Tensor> tensors) {
    return waited(() -> allReduceAsync(names, tensors));
  }

  @Override
  public Future<List<@Nullable Tensor>> allReduceAsync(
      Collection<String> names, List<@Nullable Tensor> tensors) {
    return caller.after(collectives.sum(names, tensors, timeout));
  }

  @Override
  public void barrier() {
    waited(() -> barrierAsync());
  }

  @Override
  public void barrier(Collection<String> names) {
    barrier(names, timeout);
  }

  @Override
  public void barrier(Collection<String> names, Duration limit) {
    waited(() -> barrierAsync(names, limit));
  }

  @Override
  public Future<Void> barrierAsync() {
    return caller.after(collectives.meet("barrier", true, timeout)).mapEmpty();
  }

  @Override
  public Future<Void> barrierAsync(Collection<String> names) {
    return barrierAsync(names, timeout);
  }

  @Override
  public Future<Void> barrierAsync(Collection<String> names, Duration limit) {
    return caller.after(collectives.meet("barrier", names, true, limit)).mapEmpty();
  }

  /// Starts a collective operation and waits for it, after checking that this thread may wait.
  private static <T> T waited(Supplier<Future<T>> meeting) {
    ExecutionPolicy.requireMayBlock();
    return VirtualThreads.await(meeting.get());
  }

  @Override
  public <R> List<R> waitAll(List<Future<R>> answers) {
    return caller.awaitAll(answers);
  }

  @Override
  public boolean cancel(Future<?> call) {
    return caller.cancel(call);
  }

  @Override
  public <R> R call(CharSequence to, Call<R> call) {
    return caller.call(Target.worker(to.toString()), call);
  }

  @Override
  public <R> RRef<R> create(CharSequence to, Call<R> call) {
    return engine.references.create(Target.worker(to.toString()), call);
  }

  @Override
  public Map<String, Long> debugInfo() {
    return info.now();
  }

  @Override
  public Map<String, Long> sentBytes() {
    return info.sentBytes();
  }

  @Override
  public WorkerStatus status() {
    return status.now();
  }

  @Override
  public Future<Void> shutdown() {
    return shutdown(TimeLimit.NONE);
  }

  @Override
  public Future<Void> shutdown(Duration limit) {
    Duration most = TimeLimit.of("limit", limit);
    return caller.after(shutdown.shutdown(most));
  }

  @Override
  public Future<Void> leave() {
    return caller.after(shutdown.leave());
  }

  @Override
  public String toString() {
    return "Rpc of " + self();
  }
}
