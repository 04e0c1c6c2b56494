// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.nn.ThreadModes;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.thread.execution.Continuation;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/// Where a call is made: in which remote call, whose deadline bounds it, in which autograd context,
/// in which modes, and on which thread. Code that is composed on the call's future goes on in the
/// same place.
///
/// @param call the remote call whose method makes the call, or null
/// @param recording the autograd context that the thread has entered, or null
/// @param modes the modes of the thread
/// @param continuation the thread
public record CallerContext(
    @Nullable CallContext call,
    @Nullable Recording recording,
    ThreadModes modes,
    Continuation continuation) {
  /// The context of this thread.
  public static CallerContext here() {
    return here(ExecutionPolicy.whereCalled());
  }

  /// The same, for a call that goes on elsewhere.
  public static CallerContext here(Continuation continuation) {
    return new CallerContext(
        CallContext.around(), Recording.entered(), ThreadModes.here(), continuation);
  }

  /// Runs `body` after a success as if it stood where this context was taken.
  public void run(Runnable body) {
    continuation.goOn(() -> runHere(body));
  }

  /// The same after a failure, which comes from a thread that others need.
  public void runApart(Runnable body) {
    continuation.goOnApart(() -> runHere(body));
  }

  /// A future that ends as `other` does. Code that is composed on it goes on here.
  public <T> Future<T> after(Future<T> other) {
    if (other.isComplete()) {
      return other;
    }
    Promise<T> promise = Promise.promise();
    other.onComplete(done -> runApart(() -> promise.complete(done.result(), done.cause())));
    return promise.future();
  }

  private void runHere(Runnable body) {
    CallContext.in(
        call,
        () ->
            Recording.call(
                recording,
                () -> {
                  modes.run(body);
                  return true;
                }));
  }
}
