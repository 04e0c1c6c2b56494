// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.thread.execution.Continuation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// Where a call is made: in which remote call, whose deadline bounds it, with what bound by its
/// attachments, and on which thread. Code that is composed on the call's future continues in the
/// same place.
///
/// @param call the remote call whose method makes the call, or null
/// @param bound what the attachments of calls have bound to the thread
/// @param continuation the thread
public record CallerContext(@Nullable CallContext call, Binding bound, Continuation continuation) {
  /// Runs `body` after a success as if it stood where this context was taken.
  public void run(Runnable body) {
    continuation.goOn(() -> runHere(body));
  }

  /// Runs `body` after a failure, which comes from a thread that others need.
  public void runApart(Runnable body) {
    continuation.goOnApart(() -> runHere(body));
  }

  /// Returns a future that ends as `other` does. Code that is composed on it continues here.
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
