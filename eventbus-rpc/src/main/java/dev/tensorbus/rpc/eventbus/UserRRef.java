// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;

/// A reference on a worker that does not own the object: one fork, given up when it is closed or
/// garbage.
///
/// @param <T> the object's type
final class UserRRef<T> implements RRef<T> {
  private static final Cleaner CLEANER = Cleaner.create();

  private final EventBusRpc rpc;
  private final Release release;
  private final Cleaner.Cleanable cleanable;

  UserRRef(EventBusRpc rpc, GlobalId id, GlobalId fork, Sender owner, Future<Void> created) {
    this.rpc = rpc;
    this.release = new Release(rpc.references(), id, fork, owner, created, new AtomicBoolean());
    this.cleanable = CLEANER.register(this, release);
  }

  /// What is left to do when the reference is gone; must not refer to it.
  private record Release(
      References references,
      GlobalId id,
      GlobalId fork,
      Sender owner,
      Future<Void> created,
      AtomicBoolean closed)
      implements Runnable {
    /// The owner hears of the end only after it has answered the beginning.
    @Override
    public void run() {
      closed.set(true);
      created.onComplete(done -> references.release(id, fork, owner));
    }
  }

  GlobalId id() {
    return release.id();
  }

  GlobalId fork() {
    return release.fork();
  }

  Sender ownerLife() {
    return release.owner();
  }

  /// @throws IllegalStateException if it is closed, so that it cannot be passed on
  void requireOpen() {
    open("pass on");
  }

  private Release open(String use) {
    if (release.closed().get()) {
      throw new IllegalStateException(
          use
              + ": this reference to an object of "
              + owner()
              + " is closed; use it before close()");
    }
    return release;
  }

  private Target target(String use) {
    return new Target(owner().name(), open(use).id(), this);
  }

  @Override
  public WorkerInfo owner() {
    return release.owner().info();
  }

  @Override
  public boolean isOwner() {
    return false;
  }

  @Override
  public Future<Void> created() {
    return release.created();
  }

  @Override
  public T localValue() {
    throw new IllegalStateException(
        "localValue: "
            + this
            + ", not by "
            + rpc.self()
            + "; call it on the owner, or use toHere() for a copy");
  }

  @Override
  @SuppressWarnings("unchecked") // the owner holds a T under this id
  public T toHere() {
    GlobalId id = open("toHere").id();
    VirtualThreads.await(created());
    return (T) rpc.caller().call(new Target(owner().name(), null, this), References.fetchCall(id));
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    return rpc.caller().send(target("send"), call);
  }

  @Override
  public <R> R call(Call<R> call) {
    return rpc.caller().call(target("call"), call);
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return rpc.caller().create(target("create"), call);
  }

  @Override
  public void close() {
    cleanable.clean();
  }

  @Override
  public String toString() {
    return "RRef " + id() + " (fork " + fork() + ") owned by " + owner();
  }
}
