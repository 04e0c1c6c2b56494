// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.lang.ref.Cleaner;
import java.time.Duration;
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

  UserRRef(EventBusRpc rpc, ForkId names, Sender owner, Future<Void> created) {
    this.rpc = rpc;
    this.release = new Release(rpc.references(), names, owner, created, new AtomicBoolean());
    this.cleanable = CLEANER.register(this, release);
  }

  /// What is left to do when the reference is gone; must not refer to it.
  private record Release(
      References references, ForkId names, Sender owner, Future<Void> created, AtomicBoolean closed)
      implements Runnable {
    /// The owner hears of the end only after it has answered the beginning: what was asked for
    /// still happens.
    @Override
    public void run() {
      closed.set(true);
      created.onComplete(done -> references.release(names, owner));
    }
  }

  ForkId names() {
    return release.names();
  }

  Sender ownerLife() {
    return release.owner();
  }

  /// The owner, if the reference may still be passed on.
  ///
  /// @throws IllegalStateException if it is closed, or its object could not be made
  Sender requireUsable() {
    if (created().failed()) {
      throw new IllegalStateException(
          "pass on: the object of this reference may not exist, since its creation failed: "
              + created().cause().getMessage(),
          created().cause());
    }
    return open("pass on").owner();
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
    return new Target(owner().name(), ownerLife(), open(use).names().id(), this);
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
  public T toHere() {
    open("toHere");
    VirtualThreads.await(created());
    return fetch(CallOptions.DEFAULT);
  }

  @Override
  public T toHere(Duration timeout) {
    open("toHere");
    long end = System.nanoTime() + timeout.toNanos();
    VirtualThreads.await(
        created(),
        timeout,
        () -> "the object of " + this + " did not come to be within " + timeout);
    long left = Math.max(1, end - System.nanoTime());
    return fetch(CallOptions.timeout(Duration.ofNanos(left)));
  }

  @SuppressWarnings("unchecked") // the owner holds a T under this id
  private T fetch(CallOptions options) {
    Target owner = new Target(owner().name(), ownerLife(), null, this);
    return (T) rpc.caller().call(owner, References.fetchCall(names().id()).with(options));
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
    return "RRef " + names().id() + " (fork " + names().fork() + ") owned by " + owner();
  }
}
