// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.SlotMap;
import io.vertx.core.Future;

/// Sees what happens in a [SimulatedStore].
interface Observer {
  /// Sees nothing.
  Observer NONE = new Observer() {};

  /// A server has learned a map on which the servers have agreed.
  default void learned(SlotMap map) {}

  /// A trainer sends a request.
  default void asked(Object request) {}

  /// A server has received a request.
  ///
  /// @param map the server's map at that time
  /// @param answer the server's answer, which may come later
  default void received(
      Life life, SlotServer server, SlotMap map, Object request, Future<?> answer) {}

  /// A server sends entries to a backup.
  default void replicates(Life life, SlotServer server, BackupMessage message) {}

  /// A worker has died.
  default void died(String worker) {}
}
