// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends messages of distributed autograd to the other workers of a context.
public interface AutogradPeers {
  /// Sends gradients of a backward pass to a peer.
  ///
  /// @param trace the trace context of the pass, or null
  /// @return a future of the gradients that the peer returns to this worker. If the message engages
  ///     the peer in the pass, the future completes when the peer is idle again.
  Future<List<Gradients>> propagate(
      String peer,
      long context,
      long pass,
      @Nullable TraceContext trace,
      List<Gradients> gradients);

  /// Notifies a peer that a pass has failed, and repeats the message until the peer answers. Does
  /// nothing if `peer` is this worker.
  void tellFailure(String peer, long context, long pass, Throwable cause);

  /// Asks a peer which of these contexts it has closed. The peer must have opened all of them.
  Future<List<Long>> closedContexts(String peer, List<Long> contexts);
}
