// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.thread.execution.Continuation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// The context in which a call is made: the remote call whose deadline bounds it, the values bound
/// by attachments, and the kind of thread. Listeners of the call's future run in the same context.
///
/// @param call the remote call whose method makes the call, or null
/// @param bound the values that attachments have bound to the thread
/// @param continuation decides which thread runs the listeners
public record CallerContext(@Nullable CallContext call, Binding bound, Continuation continuation) {
  /// Runs `body` in this context after a success.
  public void run(Runnable body) {
    continuation.goOn(() -> runHere(body));
  }

  /// Runs `body` in this context after a failure, without blocking the current thread.
  public void runApart(Runnable body) {
    continuation.goOnApart(() -> runHere(body));
  }

  /// Returns a future that completes as `other` does. Its listeners run in this context.
  public <T> Future<T> after(Future<T> other) {
    if (other.isComplete()) {
      return other;
    }
    Promise<T> promise = Promise.promise();
    other.onComplete(done -> runApart(() -> promise.complete(done.result(), done.cause())));
    return promise.future();
  }

  private void runHere(Runnable body) {
    CallContext.runIn(call, () -> bound.run(body));
  }
}
