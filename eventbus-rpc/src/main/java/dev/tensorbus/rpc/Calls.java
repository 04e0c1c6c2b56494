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
import io.vertx.core.Future;

/// The three ways to call a method on another worker. A call names a worker, a method that is
/// marked [Remote] there (an operation of [dev.tensorbus.autograd.Tensor] needs no mark), and its
/// arguments:
///
/// - `rpcSync` waits for the result. Call it on a virtual or a plain thread, never on an event
///   loop. If the waiting thread is interrupted, the call is given up and
///   [java.util.concurrent.CancellationException] says so.
/// - `rpcAsync` gives a future, on any thread; see [Rpc#cancel]. What follows it runs on the
///   event loop that called, where one did, or else on a virtual thread.
/// - `remote` leaves the result where it is made and gives a reference to it, on any thread. It
///   never throws what the method throws; using the reference does.
///
/// A call runs at most once; calls that run at the same time have no order. It fails with an
/// [RpcException] whose type says who failed, at the latest when its time is up.
@SuppressWarnings("overloads") // javac picks the family by what the method reference returns
public interface Calls {
  /// Sends a call; the result arrives in the future. What `rpcAsync` is made of.
  <R> Future<R> send(String to, Call<R> call);

  /// Sends a call and waits for its result. What `rpcSync` is made of.
  <R> R call(String to, Call<R> call);

  /// Sends a call whose result stays there. What `remote` is made of.
  <R> RRef<R> create(String to, Call<R> call);

  /// The same calls with other options, such as
  /// `rpc.with(CallOptions.timeout(Duration.ofSeconds(1))).rpcSync("ps", Server::update, x)`.
  default Calls with(CallOptions options) {
    return new CallsWith(this, options);
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
