// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.wire.ForkId;
import io.vertx.core.Future;

/// Sends calls to workers and to the objects that they own. The parts of a worker see its
/// [dev.tensorbus.rpc.exchange.Caller] through this.
public interface CallSender {
  /// Sends a call and returns at once.
  <R> Future<R> send(Target target, Call<R> call);

  /// Sends a call and waits for its result.
  <R> R call(Target target, Call<R> call);

  /// Sends a call whose result stays with the worker that runs it; done when the result exists.
  ///
  /// @param result names the result and the caller's fork of it
  Future<Void> sendToKeep(Target target, ForkId result, Call<?> call);
}
