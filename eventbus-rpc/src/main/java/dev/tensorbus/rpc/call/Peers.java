// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// How a worker reaches the others of its world. Any thread; no method blocks.
public interface Peers {
  /// Returns the worker itself.
  Peer self();

  /// Returns the worker with this name, or null if it is not known.
  @Nullable Peer known(String name);

  /// Returns the worker of this rank, or null if it is not known.
  @Nullable Peer ofRank(int rank);

  /// Returns this incarnation of a worker, or null if it is not known.
  default @Nullable Peer known(Sender life) {
    Peer known = known(life.info().name());
    return known != null && known.sender().equals(life) ? known : null;
  }

  /// Looks up the worker with this name. Fails with [dev.tensorbus.rpc.NoSuchWorkerException] if
  /// there is none.
  Future<Peer> find(String name);

  /// Looks up whether this incarnation of a worker is on this node.
  Future<Boolean> isRegistered(Sender life, String node);

  /// Returns whether this incarnation of a worker is known to have ended.
  boolean isGone(Sender life);

  /// Returns whether this incarnation of a worker is known and shares this worker's Vertx.
  default boolean isOnThisNode(Sender life) {
    Peer known = known(life);
    return known != null && known.node().equals(self().node());
  }

  /// Returns whether this incarnation of a worker is known and runs on another node.
  default boolean isOnAnotherNode(Sender life) {
    Peer known = known(life);
    return known != null && !known.node().equals(self().node());
  }

  /// Sends a frame, in the order in which this thread sends frames to one worker. The future fails
  /// if the frame is known not to have left.
  Future<Void> send(Sender to, Frame frame);

  /// Records a sign of life.
  void heard(Sender from);

  /// Tells a worker that this one considers it dead.
  void refuse(Sender gone);
}
