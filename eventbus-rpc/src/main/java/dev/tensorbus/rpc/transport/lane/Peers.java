// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;

/// The other workers, as far as lanes are concerned.
public interface Peers {
  /// Whether this one is there, and may have a lane to or from here.
  boolean mayHaveLane(Sender peer);

  /// Whether this one is there, on the same Vertx.
  boolean isNextDoor(Sender peer);

  /// Sends a frame over the event bus. Does not wait.
  void send(Sender to, Frame frame);

  /// Where they reach this worker's host.
  String host();
}
