// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import org.jspecify.annotations.Nullable;

/// Where a call is made: in which remote call, whose deadline bounds it, and in which autograd
/// context. What is composed on the call's future goes on in the same place.
///
/// @param call the remote call whose method makes the call, or null
/// @param recording the autograd context that the call belongs to, or null
record Surroundings(@Nullable CallContext call, @Nullable Recording recording) {
  /// Those of this thread.
  static Surroundings here() {
    return new Surroundings(CallContext.around(), Contexts.current());
  }

  /// Runs `body` as if it stood where these surroundings were taken.
  void run(Runnable body) {
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
