// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.thread.execution.Continuation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// The context in which a call is made: the remote call whose deadline bounds it, the values bound
/// by attachments, and the thread. Listeners of the call's future run in the same context.
///
/// @param call the remote call whose method makes the call, or null
/// @param bound the values that attachments have bound to the thread
/// @param continuation the thread
public record CallerContext(@Nullable CallContext call, Binding bound, Continuation continuation) {
  /// Runs `body` after a success, in this context.
  public void run(Runnable body) {
    continuation.goOn(() -> runHere(body));
  }

  /// Runs `body` after a failure. The current thread is needed by others.
  public void runApart(Runnable body) {
    continuation.goOnApart(() -> runHere(body));
  }

  /// Returns a future that ends as `other` does. Its listeners run in this context.
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
