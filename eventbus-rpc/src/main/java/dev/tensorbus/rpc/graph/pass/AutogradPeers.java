// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages that the workers of a context exchange for its backward passes and its end.
public interface AutogradPeers {
  /// Sends a peer gradients of a pass.
  ///
  /// @param trace the span of the pass at its origin, or null
  /// @return a future of the gradients that the peer has for this worker. If the message engages
  ///     the peer, the peer answers when it is idle again.
  Future<List<Gradients>> propagate(
      String peer,
      long context,
      long pass,
      @Nullable TraceContext trace,
      List<Gradients> gradients);

  /// Notifies a peer, until it has answered, that a pass has failed. Does nothing for this worker.
  void tellFailure(String peer, long context, long pass, Throwable cause);

  /// Asks a peer which of these contexts, all of which it opened, it has closed.
  Future<List<Long>> closedContexts(String peer, List<Long> contexts);
}
