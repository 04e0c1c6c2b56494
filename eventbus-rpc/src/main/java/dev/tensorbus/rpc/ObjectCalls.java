// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.A2;
import dev.tensorbus.rpc.RemoteFunction.A3;
import dev.tensorbus.rpc.RemoteFunction.A4;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.F3;
import dev.tensorbus.rpc.RemoteFunction.F4;
import dev.tensorbus.rpc.RemoteFunction.V1;
import dev.tensorbus.rpc.RemoteFunction.V2;
import dev.tensorbus.rpc.RemoteFunction.V3;
import dev.tensorbus.rpc.RemoteFunction.V4;
import io.vertx.core.Future;

/// The three ways to call a method of one object, wherever it lives; see [Calls].
///
/// @param <T> the object's type
@SuppressWarnings("overloads") // javac picks the family by what the method reference returns
public interface ObjectCalls<T> {
  /// Sends a call of one of the object's methods. What `rpcAsync` is made of.
  <R> Future<R> send(Call<R> call);

  /// Sends a call of one of the object's methods and waits. What `rpcSync` is made of.
  <R> R call(Call<R> call);

  /// Sends a call of one of the object's methods whose result stays there. What `remote` is made
  /// of.
  <R> RRef<R> create(Call<R> call);

  /// The same calls with other options.
  default ObjectCalls<T> with(CallOptions options) {
    return new ObjectCallsWith<>(this, options);
  }

  default <R> R rpcSync(F1<T, R> function) {
    return call(Call.<R>of(function));
  }

  default <B, R> R rpcSync(F2<T, B, R> function, B b) {
    return call(Call.<R>of(function, b));
  }

  default <B, C, R> R rpcSync(F3<T, B, C, R> function, B b, C c) {
    return call(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> R rpcSync(F4<T, B, C, D, R> function, B b, C c, D d) {
    return call(Call.<R>of(function, b, c, d));
  }

  default <R> R rpcSync(A1<T, R> function) {
    return call(Call.<R>of(function));
  }

  default <B, R> R rpcSync(A2<T, B, R> function, B b) {
    return call(Call.<R>of(function, b));
  }

  default <B, C, R> R rpcSync(A3<T, B, C, R> function, B b, C c) {
    return call(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> R rpcSync(A4<T, B, C, D, R> function, B b, C c, D d) {
    return call(Call.<R>of(function, b, c, d));
  }

  default void rpcSync(V1<T> function) {
    call(Call.<Void>of(function));
  }

  default <B> void rpcSync(V2<T, B> function, B b) {
    call(Call.<Void>of(function, b));
  }

  default <B, C> void rpcSync(V3<T, B, C> function, B b, C c) {
    call(Call.<Void>of(function, b, c));
  }

  default <B, C, D> void rpcSync(V4<T, B, C, D> function, B b, C c, D d) {
    call(Call.<Void>of(function, b, c, d));
  }

  default <R> Future<R> rpcAsync(F1<T, R> function) {
    return send(Call.<R>of(function));
  }

  default <B, R> Future<R> rpcAsync(F2<T, B, R> function, B b) {
    return send(Call.<R>of(function, b));
  }

  default <B, C, R> Future<R> rpcAsync(F3<T, B, C, R> function, B b, C c) {
    return send(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> Future<R> rpcAsync(F4<T, B, C, D, R> function, B b, C c, D d) {
    return send(Call.<R>of(function, b, c, d));
  }

  default <R> Future<R> rpcAsync(A1<T, R> function) {
    return send(Call.<R>of(function));
  }

  default <B, R> Future<R> rpcAsync(A2<T, B, R> function, B b) {
    return send(Call.<R>of(function, b));
  }

  default <B, C, R> Future<R> rpcAsync(A3<T, B, C, R> function, B b, C c) {
    return send(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> Future<R> rpcAsync(A4<T, B, C, D, R> function, B b, C c, D d) {
    return send(Call.<R>of(function, b, c, d));
  }

  default Future<Void> rpcAsync(V1<T> function) {
    return send(Call.<Void>of(function));
  }

  default <B> Future<Void> rpcAsync(V2<T, B> function, B b) {
    return send(Call.<Void>of(function, b));
  }

  default <B, C> Future<Void> rpcAsync(V3<T, B, C> function, B b, C c) {
    return send(Call.<Void>of(function, b, c));
  }

  default <B, C, D> Future<Void> rpcAsync(V4<T, B, C, D> function, B b, C c, D d) {
    return send(Call.<Void>of(function, b, c, d));
  }

  default <R> RRef<R> remote(F1<T, R> function) {
    return create(Call.<R>of(function));
  }

  default <B, R> RRef<R> remote(F2<T, B, R> function, B b) {
    return create(Call.<R>of(function, b));
  }

  default <B, C, R> RRef<R> remote(F3<T, B, C, R> function, B b, C c) {
    return create(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> RRef<R> remote(F4<T, B, C, D, R> function, B b, C c, D d) {
    return create(Call.<R>of(function, b, c, d));
  }

  default <R> RRef<R> remote(A1<T, R> function) {
    return create(Call.<R>of(function));
  }

  default <B, R> RRef<R> remote(A2<T, B, R> function, B b) {
    return create(Call.<R>of(function, b));
  }

  default <B, C, R> RRef<R> remote(A3<T, B, C, R> function, B b, C c) {
    return create(Call.<R>of(function, b, c));
  }

  default <B, C, D, R> RRef<R> remote(A4<T, B, C, D, R> function, B b, C c, D d) {
    return create(Call.<R>of(function, b, c, d));
  }

  default RRef<Void> remote(V1<T> function) {
    return create(Call.<Void>of(function));
  }

  default <B> RRef<Void> remote(V2<T, B> function, B b) {
    return create(Call.<Void>of(function, b));
  }

  default <B, C> RRef<Void> remote(V3<T, B, C> function, B b, C c) {
    return create(Call.<Void>of(function, b, c));
  }

  default <B, C, D> RRef<Void> remote(V4<T, B, C, D> function, B b, C c, D d) {
    return create(Call.<Void>of(function, b, c, d));
  }
}
