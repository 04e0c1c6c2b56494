// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.slot.MapChange;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.testing.SimulatedNode;
import java.util.function.Consumer;

/// How the servers of a [SimulatedStore] agree on maps.
interface Agreement {
  /// A server's part in the agreement.
  interface Seat {
    /// Proposes a change until the servers have agreed on it or on its contrary.
    void propose(MapChange change);

    /// Returns whether the server may answer trainers.
    boolean isLive();

    /// Handles a message if it belongs to the agreement. Returns whether it does.
    boolean receive(String from, Object message);

    /// Notifies the server that another one was lost.
    void lost(String server);
  }

  /// Adds a server.
  ///
  /// @param learned receives each new map
  Seat join(SimulatedNode server, Consumer<SlotMap> learned);

  /// Forgets a server that has died.
  default void left(String server) {}

  /// Returns whether the servers can agree though one of them dies.
  boolean isComplete();
}
