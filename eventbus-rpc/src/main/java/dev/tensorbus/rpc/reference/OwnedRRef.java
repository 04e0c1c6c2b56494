// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/// The owner's own reference to an object, held on the worker that owns it.
///
/// @param <T> the object's type
public final class OwnedRRef<T> implements RRef<T> {
  private final References references;
  private final GlobalId id;
  private final Promise<T> value = Promise.promise();

  OwnedRRef(References references, GlobalId id) {
    this.references = references;
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
    return references.self().info();
  }

  @Override
  public boolean isOwner() {
    return true;
  }

  @Override
  public Future<Void> created() {
    return references.calls().after(value.future()).mapEmpty();
  }

  @Override
  public T localValue() {
    return toHere(references.timeout());
  }

  @Override
  public T toHere() {
    return localValue();
  }

  @Override
  public T toHere(Duration timeout) {
    Duration limit = CallContext.bound(TimeLimit.of("timeout", timeout));
    return VirtualThreads.await(
        value.future(), limit, () -> "the object of " + this + " was not created within " + limit);
  }

  /// Returns the target of a call, and keeps the object alive until the call ends.
  private Target target() {
    ForkId hold = references.hold(this);
    Sender self = references.self();
    return new Target(self.info().name(), self, id, null, () -> references.drop(hold, self));
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    return references.calls().send(target(), call);
  }

  @Override
  public <R> R call(Call<R> call) {
    return references.calls().call(target(), call);
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return references.create(target(), call);
  }

  /// Does nothing, because this worker owns the object.
  @Override
  public void close() {}

  @Override
  public String toString() {
    return "RRef " + id + " owned here by " + owner();
  }
}
