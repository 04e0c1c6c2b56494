// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;

/// Calls that all use the given options.
record CallsWith(Calls calls, CallOptions options) implements Calls {
  @Override
  public <R> Future<R> send(CharSequence to, Call<R> call) {
    return calls.send(to, call.orElse(options));
  }

  @Override
  public <R> R call(CharSequence to, Call<R> call) {
    return calls.call(to, call.orElse(options));
  }

  @Override
  public <R> RRef<R> create(CharSequence to, Call<R> call) {
    return calls.create(to, call.orElse(options));
  }

  @Override
  public Calls with(CallOptions other) {
    return calls.with(other.over(options));
  }
}
