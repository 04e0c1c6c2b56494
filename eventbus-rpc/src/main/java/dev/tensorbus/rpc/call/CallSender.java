// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Call;
import io.vertx.core.Future;

/// Sends calls to workers and to the objects that they own. The parts of a worker see its
/// [dev.tensorbus.rpc.call.caller.Caller] through this.
public interface CallSender {
  /// Sends a call and returns at once.
  <R> Future<R> send(Target target, Call<R> call);

  /// Sends a call and waits for its result.
  <R> R call(Target target, Call<R> call);

  /// Sends a call whose result stays where the target says; done when the result exists.
  Future<Void> sendToKeep(Target target, Call<?> call);

  /// Sends a call that has no attachments and belongs to no other call.
  <R> Future<R> sendApart(Target target, Call<R> call);

  /// Returns a future that ends as `other` does. Code that is composed on it continues as code
  /// that is composed on a call of this thread.
  <T> Future<T> after(Future<T> other);
}
