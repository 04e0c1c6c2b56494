// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// A worker's access to the other workers of its world. Thread-safe; no method blocks.
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

  /// Looks up the worker with this name. The future fails with
  /// [dev.tensorbus.rpc.NoSuchWorkerException] if there is no such worker.
  Future<Peer> find(String name);

  /// Looks up whether this incarnation of a worker is on the given node.
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

  /// Sends a frame. Frames that a thread sends to one worker arrive in order. The future fails if
  /// the frame is known not to have been sent.
  Future<Void> send(Sender to, Frame frame);

  /// Records that a worker is alive, because a message from it has arrived.
  void heard(Sender from);

  /// Notifies a worker that this worker considers it dead.
  void refuse(Sender gone);
}
