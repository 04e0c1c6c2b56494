// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.time.Duration;
import java.util.function.Consumer;

/// The services of a server that a [Primary] uses. The server's lock is held during all calls in
/// both directions.
interface Host {
  /// Sends a request to a backup.
  ///
  /// @param answered receives whether the backup has carried it out; not called if the backup does
  ///     not answer
  void send(Life backup, BackupRequest request, Consumer<Boolean> answered);

  /// Runs an action when the lock has been released.
  void unlocked(Runnable action);

  /// Runs an action after some time.
  void after(Duration time, Runnable action);
}
