// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.RemoteFunction.A0;
import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.A2;
import dev.tensorbus.rpc.RemoteFunction.A3;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.A5;
import dev.tensorbus.rpc.RemoteFunction.A6;
import dev.tensorbus.rpc.RemoteFunction.A7;
import dev.tensorbus.rpc.RemoteFunction.A8;
import dev.tensorbus.rpc.RemoteFunction.F0;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.F3;
import dev.tensorbus.rpc.RemoteFunction.F4;
import dev.tensorbus.rpc.RemoteFunction.F5;
import dev.tensorbus.rpc.RemoteFunction.F6;
import dev.tensorbus.rpc.RemoteFunction.F7;
import dev.tensorbus.rpc.RemoteFunction.F8;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RemoteFunction.V2;
import dev.tensorbus.rpc.RemoteFunction.V3;
import dev.tensorbus.rpc.RemoteFunction.V4;
import dev.tensorbus.rpc.RemoteFunction.V5;
import dev.tensorbus.rpc.RemoteFunction.V6;
import dev.tensorbus.rpc.RemoteFunction.V7;
import dev.tensorbus.rpc.RemoteFunction.V8;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// The three ways to call a method on another worker. A call names a worker, a method that is
/// marked [Remote] there (an operation of [dev.tensorbus.autograd.Tensor] needs no mark), and at
/// most eight arguments; more go into a record.
///
/// The worker is its name or its [WorkerInfo], so that `rpc.worker(2)` calls rank 2:
///
/// - `rpcSync` waits for the result. Call it on a virtual or a plain thread, never on an event
///   loop. If the waiting thread is interrupted, the call is given up and
///   [java.util.concurrent.CancellationException] says so.
/// - `rpcAsync` gives a future, on any thread; see [Rpc#cancel]. Code that follows it runs on the
///   event loop that called, where one did, or else on a virtual thread.
/// - `remote` leaves the result where it is made and gives a reference to it, on any thread. It
///   never throws what the method throws; using the reference does.
///
/// A method reference names the method, or else a text does, for other languages and for methods
/// of variable arity, whose references javac cannot tell apart. No compiler checks it then:
/// `rpc.rpcSync("ps", "dev.example.Server.update", x)`; see [Call#named].
///
/// A call runs at most once; calls that run at the same time have no order. It fails with an
/// [RpcException] whose type says who failed, at the latest when its time is up.
// javac picks the family by what the method reference returns; a name does not say it.
@SuppressWarnings({"overloads", "TypeParameterUnusedInFormals"})
public interface Calls {
  /// Sends a call; the result arrives in the future. `rpcAsync` is made of this.
  <R> Future<R> send(CharSequence to, Call<R> call);

  /// Sends a call and waits for its result. `rpcSync` is made of this.
  <R> R call(CharSequence to, Call<R> call);

  /// Sends a call whose result stays there. `remote` is made of this.
  <R> RRef<R> create(CharSequence to, Call<R> call);

  /// The same calls with other options, such as
  /// `rpc.with(CallOptions.timeout(Duration.ofSeconds(1))).rpcSync("ps", Server::update, x)`.
  default Calls with(CallOptions options) {
    return new CallsWith(this, options);
  }

  /// Waits for the value of a method of no arguments.
  default <R> R rpcSync(CharSequence to, F0<R> function) {
    return call(to, Call.<R>of(function));
  }

  /// Waits for the value of a method of one argument.
  default <A, R> R rpcSync(CharSequence to, F1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  /// Waits for the value of a method of two arguments.
  default <A, B, R> R rpcSync(CharSequence to, F2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  /// Waits for the value of a method of three arguments.
  default <A, B, C, R> R rpcSync(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  /// Waits for the value of a method of four arguments.
  default <A, B, C, D, R> R rpcSync(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  /// Waits for the value of a method of five arguments.
  default <A, B, C, D, E, R> R rpcSync(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return call(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Waits for the value of a method of six arguments.
  default <A, B, C, D, E, F, R> R rpcSync(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Waits for the value of a method of seven arguments.
  default <A, B, C, D, E, F, G, R> R rpcSync(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Waits for the value of a method of eight arguments.
  default <A, B, C, D, E, F, G, H, R> R rpcSync(
      CharSequence to,
      F8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// Waits for what the future of a method of no arguments gets.
  default <R> R rpcSync(CharSequence to, A0<R> function) {
    return call(to, Call.<R>of(function));
  }

  /// Waits for what the future of a method of one argument gets.
  default <A, R> R rpcSync(CharSequence to, A1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  /// Waits for what the future of a method of two arguments gets.
  default <A, B, R> R rpcSync(CharSequence to, A2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  /// Waits for what the future of a method of three arguments gets.
  default <A, B, C, R> R rpcSync(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  /// Waits for what the future of a method of four arguments gets.
  default <A, B, C, D, R> R rpcSync(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  /// Waits for what the future of a method of five arguments gets.
  default <A, B, C, D, E, R> R rpcSync(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return call(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Waits for what the future of a method of six arguments gets.
  default <A, B, C, D, E, F, R> R rpcSync(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Waits for what the future of a method of seven arguments gets.
  default <A, B, C, D, E, F, G, R> R rpcSync(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Waits for what the future of a method of eight arguments gets.
  default <A, B, C, D, E, F, G, H, R> R rpcSync(
      CharSequence to,
      A8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// Waits until a method of no arguments has run.
  default void rpcSync(CharSequence to, V0 function) {
    call(to, Call.<Void>of(function));
  }

  /// Waits until a method of one argument has run.
  default <A> void rpcSync(CharSequence to, V1<A> function, A a) {
    call(to, Call.<Void>of(function, a));
  }

  /// Waits until a method of two arguments has run.
  default <A, B> void rpcSync(CharSequence to, V2<A, B> function, A a, B b) {
    call(to, Call.<Void>of(function, a, b));
  }

  /// Waits until a method of three arguments has run.
  default <A, B, C> void rpcSync(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    call(to, Call.<Void>of(function, a, b, c));
  }

  /// Waits until a method of four arguments has run.
  default <A, B, C, D> void rpcSync(CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    call(to, Call.<Void>of(function, a, b, c, d));
  }

  /// Waits until a method of five arguments has run.
  default <A, B, C, D, E> void rpcSync(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    call(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// Waits until a method of six arguments has run.
  default <A, B, C, D, E, F> void rpcSync(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    call(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// Waits until a method of seven arguments has run.
  default <A, B, C, D, E, F, G> void rpcSync(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    call(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// Waits until a method of eight arguments has run.
  default <A, B, C, D, E, F, G, H> void rpcSync(
      CharSequence to,
      V8<A, B, C, D, E, F, G, H> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    call(to, Call.<Void>of(function, a, b, c, d, e, f, g, h));
  }

  /// Waits for the value of a method that a text names; see [Call#named].
  default <R> R rpcSync(CharSequence to, String function, @Nullable Object... arguments) {
    return call(to, Call.<R>named(function, arguments));
  }

  /// A future of the value of a method of no arguments.
  default <R> Future<R> rpcAsync(CharSequence to, F0<R> function) {
    return send(to, Call.<R>of(function));
  }

  /// A future of the value of a method of one argument.
  default <A, R> Future<R> rpcAsync(CharSequence to, F1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  /// A future of the value of a method of two arguments.
  default <A, B, R> Future<R> rpcAsync(CharSequence to, F2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  /// A future of the value of a method of three arguments.
  default <A, B, C, R> Future<R> rpcAsync(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  /// A future of the value of a method of four arguments.
  default <A, B, C, D, R> Future<R> rpcAsync(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  /// A future of the value of a method of five arguments.
  default <A, B, C, D, E, R> Future<R> rpcAsync(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// A future of the value of a method of six arguments.
  default <A, B, C, D, E, F, R> Future<R> rpcAsync(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// A future of the value of a method of seven arguments.
  default <A, B, C, D, E, F, G, R> Future<R> rpcAsync(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// A future of the value of a method of eight arguments.
  default <A, B, C, D, E, F, G, H, R> Future<R> rpcAsync(
      CharSequence to,
      F8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// A future of what the future of a method of no arguments gets.
  default <R> Future<R> rpcAsync(CharSequence to, A0<R> function) {
    return send(to, Call.<R>of(function));
  }

  /// A future of what the future of a method of one argument gets.
  default <A, R> Future<R> rpcAsync(CharSequence to, A1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  /// A future of what the future of a method of two arguments gets.
  default <A, B, R> Future<R> rpcAsync(CharSequence to, A2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  /// A future of what the future of a method of three arguments gets.
  default <A, B, C, R> Future<R> rpcAsync(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  /// A future of what the future of a method of four arguments gets.
  default <A, B, C, D, R> Future<R> rpcAsync(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  /// A future of what the future of a method of five arguments gets.
  default <A, B, C, D, E, R> Future<R> rpcAsync(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// A future of what the future of a method of six arguments gets.
  default <A, B, C, D, E, F, R> Future<R> rpcAsync(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// A future of what the future of a method of seven arguments gets.
  default <A, B, C, D, E, F, G, R> Future<R> rpcAsync(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// A future of what the future of a method of eight arguments gets.
  default <A, B, C, D, E, F, G, H, R> Future<R> rpcAsync(
      CharSequence to,
      A8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// A future that completes once a method of no arguments has run.
  default Future<Void> rpcAsync(CharSequence to, V0 function) {
    return send(to, Call.<Void>of(function));
  }

  /// A future that completes once a method of one argument has run.
  default <A> Future<Void> rpcAsync(CharSequence to, V1<A> function, A a) {
    return send(to, Call.<Void>of(function, a));
  }

  /// A future that completes once a method of two arguments has run.
  default <A, B> Future<Void> rpcAsync(CharSequence to, V2<A, B> function, A a, B b) {
    return send(to, Call.<Void>of(function, a, b));
  }

  /// A future that completes once a method of three arguments has run.
  default <A, B, C> Future<Void> rpcAsync(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    return send(to, Call.<Void>of(function, a, b, c));
  }

  /// A future that completes once a method of four arguments has run.
  default <A, B, C, D> Future<Void> rpcAsync(
      CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return send(to, Call.<Void>of(function, a, b, c, d));
  }

  /// A future that completes once a method of five arguments has run.
  default <A, B, C, D, E> Future<Void> rpcAsync(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// A future that completes once a method of six arguments has run.
  default <A, B, C, D, E, F> Future<Void> rpcAsync(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// A future that completes once a method of seven arguments has run.
  default <A, B, C, D, E, F, G> Future<Void> rpcAsync(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// A future that completes once a method of eight arguments has run.
  default <A, B, C, D, E, F, G, H> Future<Void> rpcAsync(
      CharSequence to,
      V8<A, B, C, D, E, F, G, H> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return send(to, Call.<Void>of(function, a, b, c, d, e, f, g, h));
  }

  /// A future of the value of a method that a text names; see [Call#named].
  default <R> Future<R> rpcAsync(CharSequence to, String function, @Nullable Object... arguments) {
    return send(to, Call.<R>named(function, arguments));
  }

  /// A reference to the value of a method of no arguments.
  default <R> RRef<R> remote(CharSequence to, F0<R> function) {
    return create(to, Call.<R>of(function));
  }

  /// A reference to the value of a method of one argument.
  default <A, R> RRef<R> remote(CharSequence to, F1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  /// A reference to the value of a method of two arguments.
  default <A, B, R> RRef<R> remote(CharSequence to, F2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  /// A reference to the value of a method of three arguments.
  default <A, B, C, R> RRef<R> remote(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  /// A reference to the value of a method of four arguments.
  default <A, B, C, D, R> RRef<R> remote(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  /// A reference to the value of a method of five arguments.
  default <A, B, C, D, E, R> RRef<R> remote(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// A reference to the value of a method of six arguments.
  default <A, B, C, D, E, F, R> RRef<R> remote(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// A reference to the value of a method of seven arguments.
  default <A, B, C, D, E, F, G, R> RRef<R> remote(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// A reference to the value of a method of eight arguments.
  default <A, B, C, D, E, F, G, H, R> RRef<R> remote(
      CharSequence to,
      F8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// A reference to what the future of a method of no arguments gets.
  default <R> RRef<R> remote(CharSequence to, A0<R> function) {
    return create(to, Call.<R>of(function));
  }

  /// A reference to what the future of a method of one argument gets.
  default <A, R> RRef<R> remote(CharSequence to, A1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  /// A reference to what the future of a method of two arguments gets.
  default <A, B, R> RRef<R> remote(CharSequence to, A2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  /// A reference to what the future of a method of three arguments gets.
  default <A, B, C, R> RRef<R> remote(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  /// A reference to what the future of a method of four arguments gets.
  default <A, B, C, D, R> RRef<R> remote(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  /// A reference to what the future of a method of five arguments gets.
  default <A, B, C, D, E, R> RRef<R> remote(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// A reference to what the future of a method of six arguments gets.
  default <A, B, C, D, E, F, R> RRef<R> remote(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// A reference to what the future of a method of seven arguments gets.
  default <A, B, C, D, E, F, G, R> RRef<R> remote(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// A reference to what the future of a method of eight arguments gets.
  default <A, B, C, D, E, F, G, H, R> RRef<R> remote(
      CharSequence to,
      A8<A, B, C, D, E, F, G, H, R> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g, h));
  }

  /// A reference to nothing, there once a method of no arguments has run.
  default RRef<Void> remote(CharSequence to, V0 function) {
    return create(to, Call.<Void>of(function));
  }

  /// A reference to nothing, there once a method of one argument has run.
  default <A> RRef<Void> remote(CharSequence to, V1<A> function, A a) {
    return create(to, Call.<Void>of(function, a));
  }

  /// A reference to nothing, there once a method of two arguments has run.
  default <A, B> RRef<Void> remote(CharSequence to, V2<A, B> function, A a, B b) {
    return create(to, Call.<Void>of(function, a, b));
  }

  /// A reference to nothing, there once a method of three arguments has run.
  default <A, B, C> RRef<Void> remote(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    return create(to, Call.<Void>of(function, a, b, c));
  }

  /// A reference to nothing, there once a method of four arguments has run.
  default <A, B, C, D> RRef<Void> remote(
      CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return create(to, Call.<Void>of(function, a, b, c, d));
  }

  /// A reference to nothing, there once a method of five arguments has run.
  default <A, B, C, D, E> RRef<Void> remote(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// A reference to nothing, there once a method of six arguments has run.
  default <A, B, C, D, E, F> RRef<Void> remote(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// A reference to nothing, there once a method of seven arguments has run.
  default <A, B, C, D, E, F, G> RRef<Void> remote(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// A reference to nothing, there once a method of eight arguments has run.
  default <A, B, C, D, E, F, G, H> RRef<Void> remote(
      CharSequence to,
      V8<A, B, C, D, E, F, G, H> function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return create(to, Call.<Void>of(function, a, b, c, d, e, f, g, h));
  }

  /// A reference to the value of a method that a text names; see [Call#named].
  default <R> RRef<R> remote(CharSequence to, String function, @Nullable Object... arguments) {
    return create(to, Call.<R>named(function, arguments));
  }
}
