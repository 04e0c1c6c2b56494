// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;

/// Calls of one object's methods that all use the given options.
record ObjectCallsWith<T>(ObjectCalls<T> calls, CallOptions options) implements ObjectCalls<T> {
  @Override
  public <R> Future<R> send(Call<R> call) {
    return calls.send(call.orElse(options));
  }

  @Override
  public <R> R call(Call<R> call) {
    return calls.call(call.orElse(options));
  }

  @Override
  public <R> RRef<R> create(Call<R> call) {
    return calls.create(call.orElse(options));
  }

  @Override
  public ObjectCalls<T> with(CallOptions other) {
    return calls.with(other.over(options));
  }
}
