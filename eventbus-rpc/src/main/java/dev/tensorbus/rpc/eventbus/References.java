// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RemoteFunction.V2;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.RefHandle;
import dev.tensorbus.rpc.wire.Request.NewRef;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Counts who refers to what. After PyTorch's "Remote Reference Protocol": the owner knows every
/// fork, and a user that passes its fork on keeps it until the owner has confirmed the child's.
/// docs/protocol.md has the guarantees; all messages here may be repeated.
final class References {
  private static final int REMEMBERED_DROPS = 4096;

  private final EventBusRpc rpc;
  private final AtomicLong counter = new AtomicLong();

  /// What this worker owns and others refer to.
  private final Map<GlobalId, OwnedRRef<?>> owned = new ConcurrentHashMap<>();

  /// G2: parents that stay alive until their child is confirmed.
  private final Map<GlobalId, Parent> parents = new ConcurrentHashMap<>();

  /// References that are over: a message that comes late must not bring one back.
  private final Map<GlobalId, Boolean> dropped =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GlobalId, Boolean> eldest) {
          return size() > REMEMBERED_DROPS;
        }
      };

  References(EventBusRpc rpc) {
    this.rpc = rpc;
  }

  /// A parent and the worker on which its child is to be born.
  private record Parent(UserRRef<?> reference, String child) {}

  private GlobalId newId() {
    return new GlobalId(rpc.self().id(), counter.incrementAndGet());
  }

  /// The names of a reference that is to be made on another worker.
  NewRef newRef() {
    return new NewRef(newId(), newId());
  }

  /// A reference to a value of this worker; nobody else refers to it yet.
  <T> RRef<T> own(T value) {
    OwnedRRef<T> reference = new OwnedRRef<>(rpc, newId());
    reference.value().complete(value);
    return reference;
  }

  /// Keeps a reference in the table while a call of this worker uses it.
  GlobalId hold(OwnedRRef<?> reference) {
    GlobalId fork = newId();
    share(reference, fork, rpc.self().name());
    return fork;
  }

  private void share(OwnedRRef<?> reference, GlobalId fork, String holder) {
    reference.addFork(fork, holder);
    owned.put(reference.id(), reference);
  }

  /// Makes the place for the result of a call that is about to run here, or of one that is on its
  /// way: a user may pass a reference on before its creation has arrived.
  OwnedRRef<?> place(GlobalId id) {
    synchronized (dropped) {
      boolean isGone = id.worker() == rpc.self().id() && !owned.containsKey(id);
      if (isGone || dropped.containsKey(id)) {
        throw new IllegalStateException(
            "reference " + id + " is gone from " + rpc.self() + ": all its forks were given up");
      }
      return owned.computeIfAbsent(id, key -> new OwnedRRef<>(rpc, key));
    }
  }

  /// Makes the place for the result of a call that `holder` sent.
  @SuppressWarnings("unchecked") // the result of the call decides the type
  OwnedRRef<Object> create(NewRef names, String holder) {
    OwnedRRef<Object> reference;
    synchronized (dropped) {
      reference =
          (OwnedRRef<Object>)
              owned.computeIfAbsent(names.id(), key -> new OwnedRRef<Object>(rpc, key));
      reference.addFork(names.fork(), holder);
    }
    return reference;
  }

  /// Makes a fork for a worker that is about to get a message with it.
  RefHandle fork(RRef<?> reference, Member to) {
    Sender self = rpc.member().sender();
    return switch (reference) {
      case OwnedRRef<?> mine -> {
        GlobalId fork = newId();
        share(mine, fork, to.info().name());
        yield new RefHandle(mine.id(), fork, self, null);
      }
      case UserRRef<?> user when user.ownerLife().equals(to.sender()) ->
          new RefHandle(user.id(), user.fork(), to.sender(), null);
      case UserRRef<?> user -> {
        user.requireOpen();
        GlobalId fork = newId();
        parents.put(fork, new Parent(user, to.info().name()));
        yield new RefHandle(user.id(), fork, user.ownerLife(), self);
      }
      default ->
          throw new IllegalArgumentException(
              "a reference of " + reference.getClass() + " cannot be sent; make it with rpc.rref");
    };
  }

  /// The reference that an arrived fork stands for here; not to be used before [#confirm].
  RRef<?> adopt(RefHandle handle) {
    if (!isMine(handle)) {
      return new UserRRef<>(
          rpc, handle.id(), handle.fork(), handle.owner(), Future.succeededFuture());
    }
    OwnedRRef<?> mine = place(handle.id());
    // A fork that the owner made for itself has done its work.
    if (handle.fork().worker() == rpc.self().id()) {
      drop(handle.id(), handle.fork());
    }
    return mine;
  }

  private boolean isMine(RefHandle handle) {
    return handle.owner().equals(rpc.member().sender());
  }

  /// Makes sure that the owner of an adopted fork knows of it, then lets its parent go. Blocks.
  void confirm(RefHandle handle) {
    Sender parent = handle.parent();
    if (parent != null && !isMine(handle)) {
      String owner = handle.owner().info().name();
      VirtualThreads.await(
          Contexts.outside(
              () -> rpc.rpcAsync(owner, References::addFork, handle.id(), handle.fork())));
      retry(parent.info().name(), Call.of((V1<GlobalId>) References::accepted, handle.fork()));
    }
  }

  /// G1: the owner learns of a fork before anyone can use it.
  @Remote
  static void addFork(GlobalId id, GlobalId fork) {
    CallContext call = CallContext.current();
    call.rpc().references().place(id).addFork(fork, call.caller().name());
  }

  /// G2: the owner knows the child, so its parent may go.
  @Remote
  static void accepted(GlobalId fork) {
    CallContext.current().rpc().references().parents.remove(fork);
  }

  /// G3: a user gives its fork up.
  @Remote
  static void released(GlobalId id, GlobalId fork) {
    CallContext.current().rpc().references().drop(id, fork);
  }

  /// Gives a copy of the object, as soon as it exists.
  @Remote
  @SuppressWarnings("unchecked") // whatever it is, it is an object
  static Future<Object> fetch(GlobalId id) {
    return (Future<Object>) CallContext.current().rpc().references().object(id);
  }

  static Call<Object> fetchCall(GlobalId id) {
    return Call.of((A1<GlobalId, Object>) References::fetch, id);
  }

  /// The object that a call of one of its methods is for.
  Future<?> object(GlobalId id) {
    return place(id).value().future();
  }

  /// Forgets a fork of something that this worker owns, and the object with its last fork.
  void drop(GlobalId id, GlobalId fork) {
    OwnedRRef<?> reference = owned.get(id);
    if (reference != null && reference.removeFork(fork)) {
      forget(id, reference);
    }
  }

  private void forget(GlobalId id, OwnedRRef<?> reference) {
    synchronized (dropped) {
      owned.remove(id, reference);
      if (id.worker() != rpc.self().id()) {
        dropped.put(id, true);
      }
    }
  }

  /// Tells an owner that a fork is given up, until it has heard or has left.
  void release(GlobalId id, GlobalId fork, Sender owner) {
    retry(owner.info().name(), Call.of((V2<GlobalId, GlobalId>) References::released, id, fork));
  }

  private void retry(String to, Call<?> call) {
    Contexts.outside(() -> rpc.send(to, call))
        .onFailure(
            error -> {
              if (error instanceof RpcTimeoutException) {
                retry(to, call);
              }
            });
  }

  /// Drops what a worker held that has left.
  void workerLost(String worker) {
    parents.values().removeIf(parent -> parent.child().equals(worker));
    for (OwnedRRef<?> reference : List.copyOf(owned.values())) {
      if (reference.removeForksOf(worker)) {
        forget(reference.id(), reference);
      }
    }
  }

  /// How many objects of this worker others refer to.
  int size() {
    return owned.size();
  }
}
