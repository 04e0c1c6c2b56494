// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.TimeLimit;
import dev.tensorbus.rpc.wire.ForkId;
import io.vertx.core.Future;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.function.Supplier;

/// A reference on a worker that does not own the object. Holds one fork, which is given up when the
/// reference is closed or garbage-collected.
///
/// @param <T> the object's type
final class UserRRef<T> implements RRef<T> {
  private static final Cleaner CLEANER = Cleaner.create();

  private final References references;
  private final HeldFork fork;
  private final Future<Void> created;
  private final Cleaner.Cleanable cleanable;

  UserRRef(References references, HeldFork fork, Future<Void> created) {
    this.references = references;
    this.fork = fork;
    this.created = created;
    this.cleanable = CLEANER.register(this, fork::close);
    // Keeps the fork until the call that creates the object is answered. If the owner received the
    // release first, it would not create the object.
    fork.use();
    created.onComplete(done -> fork.endUse());
  }

  ForkId names() {
    return fork.names();
  }

  /// Starts a use of this worker's fork in order to pass it on. The caller must end the use.
  ///
  /// @throws IllegalStateException if the reference is closed, or its object could not be created
  HeldFork passOn() {
    if (created.failed()) {
      throw new IllegalStateException(
          "pass on: the object of this reference may not exist, since its creation failed: "
              + created.cause().getMessage(),
          created.cause());
    }
    return used("pass on");
  }

  /// Starts a use of the fork. The fork is kept until the use ends, even if the reference is
  /// closed.
  private HeldFork used(String use) {
    if (!fork.use()) {
      throw new IllegalStateException(
          use
              + ": this reference to an object of "
              + owner()
              + " is closed; use it before close()");
    }
    return fork;
  }

  /// Returns the target of a call, and keeps the fork until the call ends.
  private Target target(String use) {
    HeldFork mine = used(use);
    return new Target(owner().name(), mine.owner(), names().id(), null, mine::endUse);
  }

  @Override
  public WorkerInfo owner() {
    return fork.owner().info();
  }

  @Override
  public boolean isOwner() {
    return false;
  }

  @Override
  public Future<Void> created() {
    return references.calls().after(created);
  }

  @Override
  public T localValue() {
    throw new IllegalStateException(
        "localValue: "
            + this
            + ", not by "
            + references.self().info()
            + "; call it on the owner, or use toHere() for a copy");
  }

  @Override
  public T toHere() {
    return toHere(references.timeout());
  }

  @Override
  public T toHere(Duration timeout) {
    Duration limit = CallContext.bound(TimeLimit.of("timeout", timeout));
    String late = "the object of " + this + " was not created within " + limit;
    return using(
        "toHere",
        () -> {
          boolean isCreated = created.isComplete();
          Deadline deadline = Deadline.after(limit, references.clock());
          VirtualThreads.await(created, limit, () -> late);
          return fetch(CallOptions.timeout(isCreated ? limit : deadline.left()));
        });
  }

  @SuppressWarnings("unchecked") // the owner holds a T under this id
  private T fetch(CallOptions options) {
    Call<Object> fetch = References.fetchCall(names().id()).with(options);
    return (T) references.calls().call(Target.life(fork.owner()), fetch);
  }

  private <R> R using(String use, Supplier<R> body) {
    HeldFork mine = used(use);
    try {
      return body.get();
    } finally {
      mine.endUse();
    }
  }

  @Override
  public <R> Future<R> send(Call<R> call) {
    return references.calls().send(target("send"), call);
  }

  @Override
  public <R> R call(Call<R> call) {
    return references.calls().call(target("call"), call);
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return references.create(target("create"), call);
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
