// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.GlobalId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;

/// A reference on the worker that owns the object.
///
/// @param <T> the object's type
final class OwnedRRef<T> implements RRef<T> {
  private final EventBusRpc rpc;
  private final GlobalId id;
  private final Promise<T> value = Promise.promise();

  /// Each fork and the worker that holds it.
  private final Map<GlobalId, String> forks = new HashMap<>();

  OwnedRRef(EventBusRpc rpc, GlobalId id) {
    this.rpc = rpc;
    this.id = id;
  }

  GlobalId id() {
    return id;
  }

  Promise<T> value() {
    return value;
  }

  synchronized void addFork(GlobalId fork, String holder) {
    forks.put(fork, holder);
  }

  /// Forgets a fork; whether it was the last.
  synchronized boolean removeFork(GlobalId fork) {
    return forks.remove(fork) != null && forks.isEmpty();
  }

  /// Forgets the forks of a worker; whether they were the last.
  synchronized boolean removeForksOf(String holder) {
    return forks.values().removeIf(holder::equals) && forks.isEmpty();
  }

  @Override
  public WorkerInfo owner() {
    return rpc.self();
  }

  @Override
  public boolean isOwner() {
    return true;
  }

  @Override
  public Future<Void> created() {
    return value.future().mapEmpty();
  }

  @Override
  public T localValue() {
    return VirtualThreads.await(value.future());
  }

  @Override
  public T toHere() {
    return localValue();
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    GlobalId fork = rpc.references().hold(this);
    return rpc.caller()
        .send(new Target(rpc.self().name(), id, this), call)
        .onComplete(done -> rpc.references().drop(id, fork));
  }

  @Override
  public <R> R call(Call<R> call) {
    return VirtualThreads.await(send(call));
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    GlobalId fork = rpc.references().hold(this);
    RRef<R> result = rpc.caller().create(new Target(rpc.self().name(), id, this), call);
    result.created().onComplete(done -> rpc.references().drop(id, fork));
    return result;
  }

  /// Nothing to give up: the object is this worker's own.
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "RRef " + id + " owned here by " + rpc.self();
  }
}
