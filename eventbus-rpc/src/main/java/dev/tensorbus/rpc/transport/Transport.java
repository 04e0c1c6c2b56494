// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Carries frames between one worker and the other workers of its world.
public interface Transport {
  /// The worker that a transport serves.
  ///
  /// @param self the incarnation of the worker
  /// @param node the cluster node on which it runs
  /// @param loop the event loop on which it handles received frames
  /// @param strategies creates the strategy by which the event loop waits for frames
  /// @param isGone returns whether an incarnation of a worker has ended; already true when
  ///     [#forget] is called for it
  record Endpoint(
      Sender self,
      String node,
      ContextInternal loop,
      IdleStrategies strategies,
      Predicate<Sender> isGone) {}

  /// Starts receiving. The future completes when other workers can reach this one.
  ///
  /// @param handler handles each frame, on the event loop; also receives the cluster node that sent
  ///     the frame
  Future<Void> start(BiConsumer<Frame, String> handler);

  /// Sends a frame, after all frames that this thread has already sent to the same worker. The
  /// future fails if the frame is known not to have been sent. May be called on any thread; does
  /// not block.
  Future<Void> send(Sender to, Frame frame);

  /// Releases everything stored for an incarnation of a worker that has ended.
  void forget(Sender gone);

  /// Returns the number of bytes sent in frames.
  long sentBytes();

  /// Returns the number of bytes sent in frames to one worker.
  long sentBytes(Sender to);

  /// Stops receiving.
  Future<Void> stop();
}
