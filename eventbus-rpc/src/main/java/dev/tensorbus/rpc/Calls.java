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
/// most eight arguments; to pass more, use a record.
///
/// The worker is given by its name or its [WorkerInfo], so `rpc.worker(2)` calls rank 2:
///
/// - `rpcSync` waits for the result. Call it on a virtual or a platform thread, never on an event
///   loop. If the waiting thread is interrupted, the call is cancelled and throws
///   [java.util.concurrent.CancellationException].
/// - `rpcAsync` returns a future, on any thread; see [Rpc#cancel]. The future's listeners run on
///   the event loop that made the call, or else on a virtual thread.
/// - `remote` leaves the result on the worker that computes it and returns a reference, on any
///   thread. It never throws the method's exception; using the reference does.
///
/// The method is named by a method reference or, for other languages and for overloaded or varargs
/// methods, whose references javac cannot distinguish, by text, which no compiler checks:
/// `rpc.rpcSync("ps", "dev.example.Server.update", x)`; see [Call#named].
///
/// A call runs at most once; concurrent calls have no order. It fails with an [RpcException] whose
/// type says who failed, at the latest when its timeout expires.
// javac picks the overload by what the referenced method returns, which no method name shows.
@SuppressWarnings({"overloads", "TypeParameterUnusedInFormals"})
public interface Calls {
  /// Sends a call and returns a future of its result. `rpcAsync` uses this method.
  <R> Future<R> send(CharSequence to, Call<R> call);

  /// Sends a call and waits for its result. `rpcSync` uses this method.
  <R> R call(CharSequence to, Call<R> call);

  /// Sends a call whose result stays on the callee. `remote` uses this method.
  <R> RRef<R> create(CharSequence to, Call<R> call);

  /// Returns calls with other options, such as
  /// `rpc.with(CallOptions.timeout(Duration.ofSeconds(1))).rpcSync("ps", Server::update, x)`.
  /// Existing options stay where the new ones have a default.
  default Calls with(CallOptions options) {
    return new CallsWith(this, options);
  }

  /// Calls a method of no arguments and waits for its result.
  default <R> R rpcSync(CharSequence to, F0<R> function) {
    return call(to, Call.<R>of(function));
  }

  /// Calls a method of one argument and waits for its result.
  default <A, R> R rpcSync(CharSequence to, F1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  /// Calls a method of two arguments and waits for its result.
  default <A, B, R> R rpcSync(CharSequence to, F2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  /// Calls a method of three arguments and waits for its result.
  default <A, B, C, R> R rpcSync(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  /// Calls a method of four arguments and waits for its result.
  default <A, B, C, D, R> R rpcSync(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls a method of five arguments and waits for its result.
  default <A, B, C, D, E, R> R rpcSync(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return call(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls a method of six arguments and waits for its result.
  default <A, B, C, D, E, F, R> R rpcSync(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls a method of seven arguments and waits for its result.
  default <A, B, C, D, E, F, G, R> R rpcSync(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a method of eight arguments and waits for its result.
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

  /// Calls an asynchronous method of no arguments and waits for its result.
  default <R> R rpcSync(CharSequence to, A0<R> function) {
    return call(to, Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and waits for its result.
  default <A, R> R rpcSync(CharSequence to, A1<A, R> function, A a) {
    return call(to, Call.<R>of(function, a));
  }

  /// Calls an asynchronous method of two arguments and waits for its result.
  default <A, B, R> R rpcSync(CharSequence to, A2<A, B, R> function, A a, B b) {
    return call(to, Call.<R>of(function, a, b));
  }

  /// Calls an asynchronous method of three arguments and waits for its result.
  default <A, B, C, R> R rpcSync(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return call(to, Call.<R>of(function, a, b, c));
  }

  /// Calls an asynchronous method of four arguments and waits for its result.
  default <A, B, C, D, R> R rpcSync(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return call(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls an asynchronous method of five arguments and waits for its result.
  default <A, B, C, D, E, R> R rpcSync(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return call(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls an asynchronous method of six arguments and waits for its result.
  default <A, B, C, D, E, F, R> R rpcSync(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls an asynchronous method of seven arguments and waits for its result.
  default <A, B, C, D, E, F, G, R> R rpcSync(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return call(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of eight arguments and waits for its result.
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

  /// Calls a void method of no arguments and waits until it has run.
  default void rpcSync(CharSequence to, V0 function) {
    call(to, Call.<Void>of(function));
  }

  /// Calls a void method of one argument and waits until it has run.
  default <A> void rpcSync(CharSequence to, V1<A> function, A a) {
    call(to, Call.<Void>of(function, a));
  }

  /// Calls a void method of two arguments and waits until it has run.
  default <A, B> void rpcSync(CharSequence to, V2<A, B> function, A a, B b) {
    call(to, Call.<Void>of(function, a, b));
  }

  /// Calls a void method of three arguments and waits until it has run.
  default <A, B, C> void rpcSync(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    call(to, Call.<Void>of(function, a, b, c));
  }

  /// Calls a void method of four arguments and waits until it has run.
  default <A, B, C, D> void rpcSync(CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    call(to, Call.<Void>of(function, a, b, c, d));
  }

  /// Calls a void method of five arguments and waits until it has run.
  default <A, B, C, D, E> void rpcSync(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    call(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// Calls a void method of six arguments and waits until it has run.
  default <A, B, C, D, E, F> void rpcSync(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    call(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// Calls a void method of seven arguments and waits until it has run.
  default <A, B, C, D, E, F, G> void rpcSync(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    call(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a void method of eight arguments and waits until it has run.
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

  /// Calls a method by its name and waits for its result; see [Call#named].
  default <R> R rpcSync(CharSequence to, String function, @Nullable Object... arguments) {
    return call(to, Call.<R>named(function, arguments));
  }

  /// Calls a method of no arguments and returns a future of its result.
  default <R> Future<R> rpcAsync(CharSequence to, F0<R> function) {
    return send(to, Call.<R>of(function));
  }

  /// Calls a method of one argument and returns a future of its result.
  default <A, R> Future<R> rpcAsync(CharSequence to, F1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  /// Calls a method of two arguments and returns a future of its result.
  default <A, B, R> Future<R> rpcAsync(CharSequence to, F2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  /// Calls a method of three arguments and returns a future of its result.
  default <A, B, C, R> Future<R> rpcAsync(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  /// Calls a method of four arguments and returns a future of its result.
  default <A, B, C, D, R> Future<R> rpcAsync(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls a method of five arguments and returns a future of its result.
  default <A, B, C, D, E, R> Future<R> rpcAsync(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls a method of six arguments and returns a future of its result.
  default <A, B, C, D, E, F, R> Future<R> rpcAsync(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls a method of seven arguments and returns a future of its result.
  default <A, B, C, D, E, F, G, R> Future<R> rpcAsync(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a method of eight arguments and returns a future of its result.
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

  /// Calls an asynchronous method of no arguments and returns a future of its result.
  default <R> Future<R> rpcAsync(CharSequence to, A0<R> function) {
    return send(to, Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and returns a future of its result.
  default <A, R> Future<R> rpcAsync(CharSequence to, A1<A, R> function, A a) {
    return send(to, Call.<R>of(function, a));
  }

  /// Calls an asynchronous method of two arguments and returns a future of its result.
  default <A, B, R> Future<R> rpcAsync(CharSequence to, A2<A, B, R> function, A a, B b) {
    return send(to, Call.<R>of(function, a, b));
  }

  /// Calls an asynchronous method of three arguments and returns a future of its result.
  default <A, B, C, R> Future<R> rpcAsync(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return send(to, Call.<R>of(function, a, b, c));
  }

  /// Calls an asynchronous method of four arguments and returns a future of its result.
  default <A, B, C, D, R> Future<R> rpcAsync(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return send(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls an asynchronous method of five arguments and returns a future of its result.
  default <A, B, C, D, E, R> Future<R> rpcAsync(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls an asynchronous method of six arguments and returns a future of its result.
  default <A, B, C, D, E, F, R> Future<R> rpcAsync(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls an asynchronous method of seven arguments and returns a future of its result.
  default <A, B, C, D, E, F, G, R> Future<R> rpcAsync(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of eight arguments and returns a future of its result.
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

  /// Calls a void method of no arguments and returns a future of its completion.
  default Future<Void> rpcAsync(CharSequence to, V0 function) {
    return send(to, Call.<Void>of(function));
  }

  /// Calls a void method of one argument and returns a future of its completion.
  default <A> Future<Void> rpcAsync(CharSequence to, V1<A> function, A a) {
    return send(to, Call.<Void>of(function, a));
  }

  /// Calls a void method of two arguments and returns a future of its completion.
  default <A, B> Future<Void> rpcAsync(CharSequence to, V2<A, B> function, A a, B b) {
    return send(to, Call.<Void>of(function, a, b));
  }

  /// Calls a void method of three arguments and returns a future of its completion.
  default <A, B, C> Future<Void> rpcAsync(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    return send(to, Call.<Void>of(function, a, b, c));
  }

  /// Calls a void method of four arguments and returns a future of its completion.
  default <A, B, C, D> Future<Void> rpcAsync(
      CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return send(to, Call.<Void>of(function, a, b, c, d));
  }

  /// Calls a void method of five arguments and returns a future of its completion.
  default <A, B, C, D, E> Future<Void> rpcAsync(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    return send(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// Calls a void method of six arguments and returns a future of its completion.
  default <A, B, C, D, E, F> Future<Void> rpcAsync(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    return send(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// Calls a void method of seven arguments and returns a future of its completion.
  default <A, B, C, D, E, F, G> Future<Void> rpcAsync(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    return send(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a void method of eight arguments and returns a future of its completion.
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

  /// Calls a method by its name and returns a future of its result; see [Call#named].
  default <R> Future<R> rpcAsync(CharSequence to, String function, @Nullable Object... arguments) {
    return send(to, Call.<R>named(function, arguments));
  }

  /// Calls a method of no arguments and returns a reference to its result.
  default <R> RRef<R> remote(CharSequence to, F0<R> function) {
    return create(to, Call.<R>of(function));
  }

  /// Calls a method of one argument and returns a reference to its result.
  default <A, R> RRef<R> remote(CharSequence to, F1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  /// Calls a method of two arguments and returns a reference to its result.
  default <A, B, R> RRef<R> remote(CharSequence to, F2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  /// Calls a method of three arguments and returns a reference to its result.
  default <A, B, C, R> RRef<R> remote(CharSequence to, F3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  /// Calls a method of four arguments and returns a reference to its result.
  default <A, B, C, D, R> RRef<R> remote(
      CharSequence to, F4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls a method of five arguments and returns a reference to its result.
  default <A, B, C, D, E, R> RRef<R> remote(
      CharSequence to, F5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls a method of six arguments and returns a reference to its result.
  default <A, B, C, D, E, F, R> RRef<R> remote(
      CharSequence to, F6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls a method of seven arguments and returns a reference to its result.
  default <A, B, C, D, E, F, G, R> RRef<R> remote(
      CharSequence to, F7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a method of eight arguments and returns a reference to its result.
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

  /// Calls an asynchronous method of no arguments and returns a reference to its result.
  default <R> RRef<R> remote(CharSequence to, A0<R> function) {
    return create(to, Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and returns a reference to its result.
  default <A, R> RRef<R> remote(CharSequence to, A1<A, R> function, A a) {
    return create(to, Call.<R>of(function, a));
  }

  /// Calls an asynchronous method of two arguments and returns a reference to its result.
  default <A, B, R> RRef<R> remote(CharSequence to, A2<A, B, R> function, A a, B b) {
    return create(to, Call.<R>of(function, a, b));
  }

  /// Calls an asynchronous method of three arguments and returns a reference to its result.
  default <A, B, C, R> RRef<R> remote(CharSequence to, A3<A, B, C, R> function, A a, B b, C c) {
    return create(to, Call.<R>of(function, a, b, c));
  }

  /// Calls an asynchronous method of four arguments and returns a reference to its result.
  default <A, B, C, D, R> RRef<R> remote(
      CharSequence to, A4<A, B, C, D, R> function, A a, B b, C c, D d) {
    return create(to, Call.<R>of(function, a, b, c, d));
  }

  /// Calls an asynchronous method of five arguments and returns a reference to its result.
  default <A, B, C, D, E, R> RRef<R> remote(
      CharSequence to, A5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<R>of(function, a, b, c, d, e));
  }

  /// Calls an asynchronous method of six arguments and returns a reference to its result.
  default <A, B, C, D, E, F, R> RRef<R> remote(
      CharSequence to, A6<A, B, C, D, E, F, R> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f));
  }

  /// Calls an asynchronous method of seven arguments and returns a reference to its result.
  default <A, B, C, D, E, F, G, R> RRef<R> remote(
      CharSequence to, A7<A, B, C, D, E, F, G, R> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<R>of(function, a, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of eight arguments and returns a reference to its result.
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

  /// Calls a void method of no arguments and returns a reference to null, its result.
  default RRef<Void> remote(CharSequence to, V0 function) {
    return create(to, Call.<Void>of(function));
  }

  /// Calls a void method of one argument and returns a reference to null, its result.
  default <A> RRef<Void> remote(CharSequence to, V1<A> function, A a) {
    return create(to, Call.<Void>of(function, a));
  }

  /// Calls a void method of two arguments and returns a reference to null, its result.
  default <A, B> RRef<Void> remote(CharSequence to, V2<A, B> function, A a, B b) {
    return create(to, Call.<Void>of(function, a, b));
  }

  /// Calls a void method of three arguments and returns a reference to null, its result.
  default <A, B, C> RRef<Void> remote(CharSequence to, V3<A, B, C> function, A a, B b, C c) {
    return create(to, Call.<Void>of(function, a, b, c));
  }

  /// Calls a void method of four arguments and returns a reference to null, its result.
  default <A, B, C, D> RRef<Void> remote(
      CharSequence to, V4<A, B, C, D> function, A a, B b, C c, D d) {
    return create(to, Call.<Void>of(function, a, b, c, d));
  }

  /// Calls a void method of five arguments and returns a reference to null, its result.
  default <A, B, C, D, E> RRef<Void> remote(
      CharSequence to, V5<A, B, C, D, E> function, A a, B b, C c, D d, E e) {
    return create(to, Call.<Void>of(function, a, b, c, d, e));
  }

  /// Calls a void method of six arguments and returns a reference to null, its result.
  default <A, B, C, D, E, F> RRef<Void> remote(
      CharSequence to, V6<A, B, C, D, E, F> function, A a, B b, C c, D d, E e, F f) {
    return create(to, Call.<Void>of(function, a, b, c, d, e, f));
  }

  /// Calls a void method of seven arguments and returns a reference to null, its result.
  default <A, B, C, D, E, F, G> RRef<Void> remote(
      CharSequence to, V7<A, B, C, D, E, F, G> function, A a, B b, C c, D d, E e, F f, G g) {
    return create(to, Call.<Void>of(function, a, b, c, d, e, f, g));
  }

  /// Calls a void method of eight arguments and returns a reference to null, its result.
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

  /// Calls a method by its name and returns a reference to its result; see [Call#named].
  default <R> RRef<R> remote(CharSequence to, String function, @Nullable Object... arguments) {
    return create(to, Call.<R>named(function, arguments));
  }
}
