// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Carries the frames of one worker to the other workers of its world, and theirs to it.
public interface Transport {
  /// The worker that a transport serves.
  ///
  /// @param self the worker's incarnation
  /// @param node the cluster node on which it lives
  /// @param loop the event loop on which it handles received frames
  /// @param strategies how the event loop waits for frames
  /// @param isGone whether an incarnation of a worker has ended; [#forget] is called after that
  record Endpoint(
      Sender self,
      String node,
      ContextInternal loop,
      IdleStrategies strategies,
      Predicate<Sender> isGone) {}

  /// Starts to receive. The future completes when other workers can reach this one.
  ///
  /// @param handler handles a frame and the cluster node that sent it, on the event loop
  Future<Void> start(BiConsumer<Frame, String> handler);

  /// Sends a frame, in order with the frames that this thread sent to the same worker before. The
  /// future fails if the frame is known not to have left. Any thread; does not block.
  Future<Void> send(Sender to, Frame frame);

  /// Releases what is stored for an incarnation of a worker that has ended.
  void forget(Sender gone);

  /// Returns the number of bytes sent in frames.
  long sentBytes();

  /// Stops receiving.
  Future<Void> stop();
}
