// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages that the workers of a context send each other for its backward passes and its end.
public interface AutogradPeers {
  /// Sends a peer gradients of a pass.
  ///
  /// @param trace the span of the pass at its origin, or null
  /// @return the gradients that the peer has for this worker. If the message engages the peer, it
  ///     answers when it is idle again.
  Future<List<Gradients>> propagate(
      String peer,
      long context,
      long pass,
      @Nullable TraceContext trace,
      List<Gradients> gradients);

  /// Tells a peer, until it has heard, that a pass has failed. This worker needs no telling.
  void tellFailure(String peer, long context, long pass, Throwable cause);

  /// Asks a peer which of these contexts, all of which it opened, it has closed.
  Future<List<Long>> closedContexts(String peer, List<Long> contexts);
}
