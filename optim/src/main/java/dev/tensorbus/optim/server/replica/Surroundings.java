// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.MapChange;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/// The services that a [SlotServer] uses: other servers, time and agreement. The methods must not
/// call the server back before they return.
public interface Surroundings {
  /// Sends requests to another server, which [handles][SlotServer#handle] them.
  ///
  /// @return a future of its answers; it fails if the server did not answer
  Future<List<Boolean>> send(BackupMessage message);

  /// Proposes a change of the map. If all servers agree on it, [SlotServer#setMap] is called.
  void propose(MapChange change);

  /// Returns whether this server still hears from a majority, so that no other server can have
  /// taken its slots over.
  boolean isLive();

  /// Returns whether a worker is in the world.
  boolean isPresent(String worker);

  /// Runs an action after some time.
  void after(Duration time, Runnable action);
}
