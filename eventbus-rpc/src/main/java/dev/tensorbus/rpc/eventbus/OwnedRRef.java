// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.pending.Target;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/// A reference on the worker that owns the object.
///
/// @param <T> the object's type
final class OwnedRRef<T> implements RRef<T> {
  private final EventBusRpc rpc;
  private final GlobalId id;
  private final Promise<T> value = Promise.promise();

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
    return toHere(rpc.timeout());
  }

  @Override
  public T toHere() {
    return localValue();
  }

  @Override
  public T toHere(Duration timeout) {
    return VirtualThreads.await(
        value.future(),
        timeout,
        () -> "the object of " + this + " did not come to be within " + timeout);
  }

  /// Keeps the object in the table while the call is under way.
  private Target target() {
    ForkId hold = rpc.references().hold(this);
    return new Target(
        rpc.self().name(), rpc.member().sender(), id, () -> rpc.references().drop(hold));
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    return rpc.caller().send(target(), call);
  }

  @Override
  public <R> R call(Call<R> call) {
    return rpc.caller().call(target(), call);
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return rpc.caller().create(target(), call);
  }

  /// Nothing to give up: the object is this worker's own.
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "RRef " + id + " owned here by " + rpc.self();
  }
}
