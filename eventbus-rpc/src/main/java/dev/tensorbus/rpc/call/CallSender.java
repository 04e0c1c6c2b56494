// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Call;
import io.vertx.core.Future;

/// Sends calls to workers and to their objects. The other components of a worker use its
/// [dev.tensorbus.rpc.call.caller.Caller] through this interface.
public interface CallSender {
  /// Sends a call and returns at once.
  <R> Future<R> send(Target target, Call<R> call);

  /// Sends a call and waits for its result.
  <R> R call(Target target, Call<R> call);

  /// Sends a call whose result stays on the callee, in the reference that `target` names. The
  /// future completes when the result exists.
  Future<Void> sendToKeep(Target target, Call<?> call);

  /// Sends a call without attachments, outside any surrounding call.
  <R> Future<R> sendApart(Target target, Call<R> call);

  /// Returns a future that completes as `other` does. Its listeners run in the same context as the
  /// listeners of a call made by this thread.
  <T> Future<T> after(Future<T> other);
}
