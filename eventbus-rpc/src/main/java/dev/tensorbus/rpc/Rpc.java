// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.RemoteFunction.A0;
import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.A2;
import dev.tensorbus.rpc.RemoteFunction.A3;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.F0;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.F3;
import dev.tensorbus.rpc.RemoteFunction.F4;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RemoteFunction.V2;
import dev.tensorbus.rpc.RemoteFunction.V3;
import dev.tensorbus.rpc.RemoteFunction.V4;
import dev.tensorbus.rpc.eventbus.CallContext;
import dev.tensorbus.rpc.eventbus.EventBusRpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One worker of a world, and its way to call the others. After `torch.distributed.rpc`.
///
/// A call names a worker, a method that is marked [Remote] there (an operation of
/// [dev.tensorbus.autograd.Tensor] needs no mark), and its arguments:
///
/// - `rpcSync` waits for the result. Call it on a virtual or a plain thread, never on an event
///   loop.
/// - `rpcAsync` gives a future, on any thread.
/// - `remote` leaves the result where it is made and gives a reference to it, on any thread.
///
/// A call is sent once and runs at most once; calls that run at the same time have no order. It
/// fails with an [RpcException] whose type says who failed, at the latest when its time is up.
@SuppressWarnings("overloads") // javac picks the family by what the method reference returns
public interface Rpc extends AutoCloseable {
  /// Joins a world and waits until every worker is there. Not for event loops: see [#open].
  ///
  /// @throws RendezvousException if the name or rank is taken, or a worker does not come in time
  static Rpc init(Vertx vertx, String name, RpcOptions options) {
    Rpc rpc = open(vertx, name, options).await();
    try {
      rpc.ready().await();
      return rpc;
    } catch (RuntimeException e) {
      rpc.leave().await();
      throw e;
    }
  }

  /// Joins a world; done when this worker answers calls. The others may still be missing: see
  /// [#ready].
  static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return EventBusRpc.open(vertx, name, options);
  }

  /// The worker on which the present remote call runs.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static Rpc current() {
    return CallContext.current().rpc();
  }

  /// Who the present remote call came from.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  static WorkerInfo caller() {
    return CallContext.current().caller();
  }

  /// This worker.
  WorkerInfo self();

  /// The workers that are known now, by rank.
  List<WorkerInfo> workers();

  /// The worker of this name.
  ///
  /// @throws NoSuchWorkerException if there is none
  WorkerInfo worker(String name);

  /// Done when every worker of the world is there; fails with [RendezvousException] if one does
  /// not come in time, naming who is there and who is not.
  Future<Void> ready();

  /// Tells of each worker that leaves before the end, died or closed. `listener` runs on an event
  /// loop or a thread of the cluster and must not block.
  void onWorkerLost(Consumer<WorkerInfo> listener);

  /// The object that all remote calls on this worker share, made by the first who asks: what a
  /// static singleton would be in a process with one worker only.
  <T> T shared(Class<T> type, Supplier<T> first);

  /// A reference to a value that this worker owns. After `torch.distributed.rpc.RRef(value)`.
  <T> RRef<T> rref(T value);

  /// Sends a call; the result arrives in the future. What `rpcAsync` is made of.
  <R> Future<R> send(String to, Call<R> call);

  /// Sends a call and waits for its result. What `rpcSync` is made of.
  <R> R call(String to, Call<R> call);

  /// Sends a call whose result stays there. What `remote` is made of.
  <R> RRef<R> create(String to, Call<R> call);

  /// What this worker holds for others now, by name, for people and tests:
  ///
  /// - `rpc.pending_calls`: calls that it has sent and nobody has answered;
  /// - `rref.owned`: objects of its own that references point at;
  /// - `autograd.contexts`: distributed autograd contexts that are open here.
  Map<String, Long> debugInfo();

  /// Ends this worker's part: waits until no worker of the world has anything left to do, then
  /// leaves. A worker that has died is not waited for. After `torch.distributed.rpc.shutdown`.
  Future<Void> shutdown();

  /// Leaves at once; calls that wait fail.
  Future<Void> leave();

  /// Waits for [#shutdown]. Not for event loops.
  @Override
  default void close() {
    shutdown().await();
  }

  default <R> R rpcSync(String to, F0<R> function) {
    return call(to, Call.<R>of(function));
  }

  default <A, R> R rpcSync(String to, F1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  default <A, B, R> R rpcSync(String to, F2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> R rpcSync(String to, F3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> R rpcSync(String to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  default <R> R rpcSync(String to, A0<R> function) {
    return call(to, Call.<R>of(function));
  }

  default <A, R> R rpcSync(String to, A1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  default <A, B, R> R rpcSync(String to, A2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> R rpcSync(String to, A3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> R rpcSync(String to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  default void rpcSync(String to, V0 function) {
    call(to, Call.<Void>of(function));
  }

  default <A> void rpcSync(String to, V1<A> function, A a) {
    call(to, Call.<Void>of(function, a));
  }

  default <A, B> void rpcSync(String to, V2<A, B> function, A a, B b) {
    call(to, Call.<Void>of(function, a, b));
  }

  default <A, B, C> void rpcSync(String to, V3<A, B, C> function, A a, B b, C c) {
    call(to, Call.<Void>of(function, a, b, c));
  }

  default <A, B, C, D> void rpcSync(String to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    call(to, Call.<Void>of(function, a, b, c, d));
  }

  default <R> Future<R> rpcAsync(String to, F0<R> function) {
    return send(to, Call.<R>of(function));
  }

  default <A, R> Future<R> rpcAsync(String to, F1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  default <A, B, R> Future<R> rpcAsync(String to, F2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> Future<R> rpcAsync(String to, F3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> Future<R> rpcAsync(
      String to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  default <R> Future<R> rpcAsync(String to, A0<R> function) {
    return send(to, Call.<R>of(function));
  }

  default <A, R> Future<R> rpcAsync(String to, A1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  default <A, B, R> Future<R> rpcAsync(String to, A2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> Future<R> rpcAsync(String to, A3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> Future<R> rpcAsync(
      String to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  default Future<Void> rpcAsync(String to, V0 function) {
    return send(to, Call.<Void>of(function));
  }

  default <A> Future<Void> rpcAsync(String to, V1<A> function, A a) {
    return send(to, Call.<Void>of(function, a));
  }

  default <A, B> Future<Void> rpcAsync(String to, V2<A, B> function, A a, B b) {
    return send(to, Call.<Void>of(function, a, b));
  }

  default <A, B, C> Future<Void> rpcAsync(String to, V3<A, B, C> function, A a, B b, C c) {
    return send(to, Call.<Void>of(function, a, b, c));
  }

  default <A, B, C, D> Future<Void> rpcAsync(
      String to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return send(to, Call.<Void>of(function, a, b, c, d));
  }

  default <R> RRef<R> remote(String to, F0<R> function) {
    return create(to, Call.<R>of(function));
  }

  default <A, R> RRef<R> remote(String to, F1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  default <A, B, R> RRef<R> remote(String to, F2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> RRef<R> remote(String to, F3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> RRef<R> remote(
      String to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  default <R> RRef<R> remote(String to, A0<R> function) {
    return create(to, Call.<R>of(function));
  }

  default <A, R> RRef<R> remote(String to, A1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  default <A, B, R> RRef<R> remote(String to, A2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  default <A, B, C, R> RRef<R> remote(String to, A3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  default <A, B, C, D, R> RRef<R> remote(
      String to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  default RRef<Void> remote(String to, V0 function) {
    return create(to, Call.<Void>of(function));
  }

  default <A> RRef<Void> remote(String to, V1<A> function, A a) {
    return create(to, Call.<Void>of(function, a));
  }

  default <A, B> RRef<Void> remote(String to, V2<A, B> function, A a, B b) {
    return create(to, Call.<Void>of(function, a, b));
  }

  default <A, B, C> RRef<Void> remote(String to, V3<A, B, C> function, A a, B b, C c) {
    return create(to, Call.<Void>of(function, a, b, c));
  }

  default <A, B, C, D> RRef<Void> remote(String to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return create(to, Call.<Void>of(function, a, b, c, d));
  }
}
