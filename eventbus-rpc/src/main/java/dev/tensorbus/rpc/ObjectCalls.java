// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.A2;
import dev.tensorbus.rpc.RemoteFunction.A3;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.A5;
import dev.tensorbus.rpc.RemoteFunction.A6;
import dev.tensorbus.rpc.RemoteFunction.A7;
import dev.tensorbus.rpc.RemoteFunction.A8;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.F3;
import dev.tensorbus.rpc.RemoteFunction.F4;
import dev.tensorbus.rpc.RemoteFunction.F5;
import dev.tensorbus.rpc.RemoteFunction.F6;
import dev.tensorbus.rpc.RemoteFunction.F7;
import dev.tensorbus.rpc.RemoteFunction.F8;
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

/// The three ways to call a method of one object, wherever the object lives; see [Calls].
///
/// @param <T> the object's type
// javac picks the overload by what the referenced method returns, which no method name shows.
@SuppressWarnings({"overloads", "TypeParameterUnusedInFormals"})
public interface ObjectCalls<T> {
  /// Sends a call of one of the object's methods and returns a future of its result. `rpcAsync`
  /// uses this method.
  <R> Future<R> send(Call<R> call);

  /// Sends a call of one of the object's methods and waits. `rpcSync` uses this method.
  <R> R call(Call<R> call);

  /// Sends a call of one of the object's methods whose result stays on the callee. `remote` uses
  /// this method.
  <R> RRef<R> create(Call<R> call);

  /// Returns calls with other options. Existing options stay where the new ones have a default.
  default ObjectCalls<T> with(CallOptions options) {
    return new ObjectCallsWith<>(this, options);
  }

  /// Calls a method of no arguments and waits for its result.
  default <R> R rpcSync(F1<T, R> function) {
    return call(Call.<R>of(function));
  }

  /// Calls a method of one argument and waits for its result.
  default <B, R> R rpcSync(F2<T, B, R> function, B b) {
    return call(Call.<R>of(function, b));
  }

  /// Calls a method of two arguments and waits for its result.
  default <B, C, R> R rpcSync(F3<T, B, C, R> function, B b, C c) {
    return call(Call.<R>of(function, b, c));
  }

  /// Calls a method of three arguments and waits for its result.
  default <B, C, D, R> R rpcSync(F4<T, B, C, D, R> function, B b, C c, D d) {
    return call(Call.<R>of(function, b, c, d));
  }

  /// Calls a method of four arguments and waits for its result.
  default <B, C, D, E, R> R rpcSync(F5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return call(Call.<R>of(function, b, c, d, e));
  }

  /// Calls a method of five arguments and waits for its result.
  default <B, C, D, E, F, R> R rpcSync(F6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return call(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls a method of six arguments and waits for its result.
  default <B, C, D, E, F, G, R> R rpcSync(
      F7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return call(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls a method of seven arguments and waits for its result.
  default <B, C, D, E, F, G, H, R> R rpcSync(
      F8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return call(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls an asynchronous method of no arguments and waits for its result.
  default <R> R rpcSync(A1<T, R> function) {
    return call(Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and waits for its result.
  default <B, R> R rpcSync(A2<T, B, R> function, B b) {
    return call(Call.<R>of(function, b));
  }

  /// Calls an asynchronous method of two arguments and waits for its result.
  default <B, C, R> R rpcSync(A3<T, B, C, R> function, B b, C c) {
    return call(Call.<R>of(function, b, c));
  }

  /// Calls an asynchronous method of three arguments and waits for its result.
  default <B, C, D, R> R rpcSync(A4<T, B, C, D, R> function, B b, C c, D d) {
    return call(Call.<R>of(function, b, c, d));
  }

  /// Calls an asynchronous method of four arguments and waits for its result.
  default <B, C, D, E, R> R rpcSync(A5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return call(Call.<R>of(function, b, c, d, e));
  }

  /// Calls an asynchronous method of five arguments and waits for its result.
  default <B, C, D, E, F, R> R rpcSync(A6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return call(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls an asynchronous method of six arguments and waits for its result.
  default <B, C, D, E, F, G, R> R rpcSync(
      A7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return call(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of seven arguments and waits for its result.
  default <B, C, D, E, F, G, H, R> R rpcSync(
      A8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return call(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a void method of no arguments and waits until it has run.
  default void rpcSync(V1<T> function) {
    call(Call.<Void>of(function));
  }

  /// Calls a void method of one argument and waits until it has run.
  default <B> void rpcSync(V2<T, B> function, B b) {
    call(Call.<Void>of(function, b));
  }

  /// Calls a void method of two arguments and waits until it has run.
  default <B, C> void rpcSync(V3<T, B, C> function, B b, C c) {
    call(Call.<Void>of(function, b, c));
  }

  /// Calls a void method of three arguments and waits until it has run.
  default <B, C, D> void rpcSync(V4<T, B, C, D> function, B b, C c, D d) {
    call(Call.<Void>of(function, b, c, d));
  }

  /// Calls a void method of four arguments and waits until it has run.
  default <B, C, D, E> void rpcSync(V5<T, B, C, D, E> function, B b, C c, D d, E e) {
    call(Call.<Void>of(function, b, c, d, e));
  }

  /// Calls a void method of five arguments and waits until it has run.
  default <B, C, D, E, F> void rpcSync(V6<T, B, C, D, E, F> function, B b, C c, D d, E e, F f) {
    call(Call.<Void>of(function, b, c, d, e, f));
  }

  /// Calls a void method of six arguments and waits until it has run.
  default <B, C, D, E, F, G> void rpcSync(
      V7<T, B, C, D, E, F, G> function, B b, C c, D d, E e, F f, G g) {
    call(Call.<Void>of(function, b, c, d, e, f, g));
  }

  /// Calls a void method of seven arguments and waits until it has run.
  default <B, C, D, E, F, G, H> void rpcSync(
      V8<T, B, C, D, E, F, G, H> function, B b, C c, D d, E e, F f, G g, H h) {
    call(Call.<Void>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a method by its name and waits for its result; see [Call#named].
  default <R> R rpcSync(String function, @Nullable Object... arguments) {
    return call(Call.<R>named(function, arguments));
  }

  /// Calls a method of no arguments and returns a future of its result.
  default <R> Future<R> rpcAsync(F1<T, R> function) {
    return send(Call.<R>of(function));
  }

  /// Calls a method of one argument and returns a future of its result.
  default <B, R> Future<R> rpcAsync(F2<T, B, R> function, B b) {
    return send(Call.<R>of(function, b));
  }

  /// Calls a method of two arguments and returns a future of its result.
  default <B, C, R> Future<R> rpcAsync(F3<T, B, C, R> function, B b, C c) {
    return send(Call.<R>of(function, b, c));
  }

  /// Calls a method of three arguments and returns a future of its result.
  default <B, C, D, R> Future<R> rpcAsync(F4<T, B, C, D, R> function, B b, C c, D d) {
    return send(Call.<R>of(function, b, c, d));
  }

  /// Calls a method of four arguments and returns a future of its result.
  default <B, C, D, E, R> Future<R> rpcAsync(F5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return send(Call.<R>of(function, b, c, d, e));
  }

  /// Calls a method of five arguments and returns a future of its result.
  default <B, C, D, E, F, R> Future<R> rpcAsync(
      F6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return send(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls a method of six arguments and returns a future of its result.
  default <B, C, D, E, F, G, R> Future<R> rpcAsync(
      F7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return send(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls a method of seven arguments and returns a future of its result.
  default <B, C, D, E, F, G, H, R> Future<R> rpcAsync(
      F8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return send(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls an asynchronous method of no arguments and returns a future of its result.
  default <R> Future<R> rpcAsync(A1<T, R> function) {
    return send(Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and returns a future of its result.
  default <B, R> Future<R> rpcAsync(A2<T, B, R> function, B b) {
    return send(Call.<R>of(function, b));
  }

  /// Calls an asynchronous method of two arguments and returns a future of its result.
  default <B, C, R> Future<R> rpcAsync(A3<T, B, C, R> function, B b, C c) {
    return send(Call.<R>of(function, b, c));
  }

  /// Calls an asynchronous method of three arguments and returns a future of its result.
  default <B, C, D, R> Future<R> rpcAsync(A4<T, B, C, D, R> function, B b, C c, D d) {
    return send(Call.<R>of(function, b, c, d));
  }

  /// Calls an asynchronous method of four arguments and returns a future of its result.
  default <B, C, D, E, R> Future<R> rpcAsync(A5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return send(Call.<R>of(function, b, c, d, e));
  }

  /// Calls an asynchronous method of five arguments and returns a future of its result.
  default <B, C, D, E, F, R> Future<R> rpcAsync(
      A6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return send(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls an asynchronous method of six arguments and returns a future of its result.
  default <B, C, D, E, F, G, R> Future<R> rpcAsync(
      A7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return send(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of seven arguments and returns a future of its result.
  default <B, C, D, E, F, G, H, R> Future<R> rpcAsync(
      A8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return send(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a void method of no arguments and returns a future of its completion.
  default Future<Void> rpcAsync(V1<T> function) {
    return send(Call.<Void>of(function));
  }

  /// Calls a void method of one argument and returns a future of its completion.
  default <B> Future<Void> rpcAsync(V2<T, B> function, B b) {
    return send(Call.<Void>of(function, b));
  }

  /// Calls a void method of two arguments and returns a future of its completion.
  default <B, C> Future<Void> rpcAsync(V3<T, B, C> function, B b, C c) {
    return send(Call.<Void>of(function, b, c));
  }

  /// Calls a void method of three arguments and returns a future of its completion.
  default <B, C, D> Future<Void> rpcAsync(V4<T, B, C, D> function, B b, C c, D d) {
    return send(Call.<Void>of(function, b, c, d));
  }

  /// Calls a void method of four arguments and returns a future of its completion.
  default <B, C, D, E> Future<Void> rpcAsync(V5<T, B, C, D, E> function, B b, C c, D d, E e) {
    return send(Call.<Void>of(function, b, c, d, e));
  }

  /// Calls a void method of five arguments and returns a future of its completion.
  default <B, C, D, E, F> Future<Void> rpcAsync(
      V6<T, B, C, D, E, F> function, B b, C c, D d, E e, F f) {
    return send(Call.<Void>of(function, b, c, d, e, f));
  }

  /// Calls a void method of six arguments and returns a future of its completion.
  default <B, C, D, E, F, G> Future<Void> rpcAsync(
      V7<T, B, C, D, E, F, G> function, B b, C c, D d, E e, F f, G g) {
    return send(Call.<Void>of(function, b, c, d, e, f, g));
  }

  /// Calls a void method of seven arguments and returns a future of its completion.
  default <B, C, D, E, F, G, H> Future<Void> rpcAsync(
      V8<T, B, C, D, E, F, G, H> function, B b, C c, D d, E e, F f, G g, H h) {
    return send(Call.<Void>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a method by its name and returns a future of its result; see [Call#named].
  default <R> Future<R> rpcAsync(String function, @Nullable Object... arguments) {
    return send(Call.<R>named(function, arguments));
  }

  /// Calls a method of no arguments and returns a reference to its result.
  default <R> RRef<R> remote(F1<T, R> function) {
    return create(Call.<R>of(function));
  }

  /// Calls a method of one argument and returns a reference to its result.
  default <B, R> RRef<R> remote(F2<T, B, R> function, B b) {
    return create(Call.<R>of(function, b));
  }

  /// Calls a method of two arguments and returns a reference to its result.
  default <B, C, R> RRef<R> remote(F3<T, B, C, R> function, B b, C c) {
    return create(Call.<R>of(function, b, c));
  }

  /// Calls a method of three arguments and returns a reference to its result.
  default <B, C, D, R> RRef<R> remote(F4<T, B, C, D, R> function, B b, C c, D d) {
    return create(Call.<R>of(function, b, c, d));
  }

  /// Calls a method of four arguments and returns a reference to its result.
  default <B, C, D, E, R> RRef<R> remote(F5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return create(Call.<R>of(function, b, c, d, e));
  }

  /// Calls a method of five arguments and returns a reference to its result.
  default <B, C, D, E, F, R> RRef<R> remote(
      F6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return create(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls a method of six arguments and returns a reference to its result.
  default <B, C, D, E, F, G, R> RRef<R> remote(
      F7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return create(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls a method of seven arguments and returns a reference to its result.
  default <B, C, D, E, F, G, H, R> RRef<R> remote(
      F8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return create(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls an asynchronous method of no arguments and returns a reference to its result.
  default <R> RRef<R> remote(A1<T, R> function) {
    return create(Call.<R>of(function));
  }

  /// Calls an asynchronous method of one argument and returns a reference to its result.
  default <B, R> RRef<R> remote(A2<T, B, R> function, B b) {
    return create(Call.<R>of(function, b));
  }

  /// Calls an asynchronous method of two arguments and returns a reference to its result.
  default <B, C, R> RRef<R> remote(A3<T, B, C, R> function, B b, C c) {
    return create(Call.<R>of(function, b, c));
  }

  /// Calls an asynchronous method of three arguments and returns a reference to its result.
  default <B, C, D, R> RRef<R> remote(A4<T, B, C, D, R> function, B b, C c, D d) {
    return create(Call.<R>of(function, b, c, d));
  }

  /// Calls an asynchronous method of four arguments and returns a reference to its result.
  default <B, C, D, E, R> RRef<R> remote(A5<T, B, C, D, E, R> function, B b, C c, D d, E e) {
    return create(Call.<R>of(function, b, c, d, e));
  }

  /// Calls an asynchronous method of five arguments and returns a reference to its result.
  default <B, C, D, E, F, R> RRef<R> remote(
      A6<T, B, C, D, E, F, R> function, B b, C c, D d, E e, F f) {
    return create(Call.<R>of(function, b, c, d, e, f));
  }

  /// Calls an asynchronous method of six arguments and returns a reference to its result.
  default <B, C, D, E, F, G, R> RRef<R> remote(
      A7<T, B, C, D, E, F, G, R> function, B b, C c, D d, E e, F f, G g) {
    return create(Call.<R>of(function, b, c, d, e, f, g));
  }

  /// Calls an asynchronous method of seven arguments and returns a reference to its result.
  default <B, C, D, E, F, G, H, R> RRef<R> remote(
      A8<T, B, C, D, E, F, G, H, R> function, B b, C c, D d, E e, F f, G g, H h) {
    return create(Call.<R>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a void method of no arguments and returns a reference to null, its result.
  default RRef<Void> remote(V1<T> function) {
    return create(Call.<Void>of(function));
  }

  /// Calls a void method of one argument and returns a reference to null, its result.
  default <B> RRef<Void> remote(V2<T, B> function, B b) {
    return create(Call.<Void>of(function, b));
  }

  /// Calls a void method of two arguments and returns a reference to null, its result.
  default <B, C> RRef<Void> remote(V3<T, B, C> function, B b, C c) {
    return create(Call.<Void>of(function, b, c));
  }

  /// Calls a void method of three arguments and returns a reference to null, its result.
  default <B, C, D> RRef<Void> remote(V4<T, B, C, D> function, B b, C c, D d) {
    return create(Call.<Void>of(function, b, c, d));
  }

  /// Calls a void method of four arguments and returns a reference to null, its result.
  default <B, C, D, E> RRef<Void> remote(V5<T, B, C, D, E> function, B b, C c, D d, E e) {
    return create(Call.<Void>of(function, b, c, d, e));
  }

  /// Calls a void method of five arguments and returns a reference to null, its result.
  default <B, C, D, E, F> RRef<Void> remote(
      V6<T, B, C, D, E, F> function, B b, C c, D d, E e, F f) {
    return create(Call.<Void>of(function, b, c, d, e, f));
  }

  /// Calls a void method of six arguments and returns a reference to null, its result.
  default <B, C, D, E, F, G> RRef<Void> remote(
      V7<T, B, C, D, E, F, G> function, B b, C c, D d, E e, F f, G g) {
    return create(Call.<Void>of(function, b, c, d, e, f, g));
  }

  /// Calls a void method of seven arguments and returns a reference to null, its result.
  default <B, C, D, E, F, G, H> RRef<Void> remote(
      V8<T, B, C, D, E, F, G, H> function, B b, C c, D d, E e, F f, G g, H h) {
    return create(Call.<Void>of(function, b, c, d, e, f, g, h));
  }

  /// Calls a method by its name and returns a reference to its result; see [Call#named].
  default <R> RRef<R> remote(String function, @Nullable Object... arguments) {
    return create(Call.<R>named(function, arguments));
  }
}
