// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;

/// Where a call is made: in which remote call, whose deadline bounds it, in which autograd
/// context, and on which event loop. What is composed on the call's future goes on in the same
/// place.
///
/// @param call the remote call whose method makes the call, or null
/// @param recording the autograd context that the call belongs to, or null
/// @param loop the context of Vert.x, on an event loop, that makes the call, or null
/// @param isBrief whether what is composed never waits, and so may run on any event loop
record Surroundings(
    @Nullable CallContext call,
    @Nullable Recording recording,
    @Nullable ContextInternal loop,
    boolean isBrief) {
  /// Those of this thread.
  static Surroundings here() {
    ContextInternal loop = Context.isOnEventLoopThread() ? ContextInternal.current() : null;
    return new Surroundings(CallContext.around(), Contexts.current(), loop, false);
  }

  /// The same for what never waits.
  static Surroundings briefly() {
    return new Surroundings(CallContext.around(), Contexts.current(), null, true);
  }

  /// Whether an event loop may go on.
  boolean allowEventLoop() {
    return loop != null || isBrief;
  }

  /// Runs `body` as if it stood where these surroundings were taken: on the event loop, if that
  /// was one, or else on this thread.
  void run(Runnable body) {
    if (loop == null) {
      runHere(body);
    } else {
      loop.emit(ignored -> runHere(body));
    }
  }

  private void runHere(Runnable body) {
    CallContext.in(
        call,
        () ->
            Contexts.call(
                recording,
                () -> {
                  body.run();
                  return true;
                }));
  }
}
