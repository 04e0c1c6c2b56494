// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.membership;

import dev.tensorbus.rpc.pending.PendingCalls;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;

/// Finds out that the world goes on without this worker. A worker that was frozen for the heartbeat
/// time-out, and wakes up to find that others are gone, has not lost them: they have lost it.
///
/// @param hasEnded whether nothing more is expected of the others
public record EvictionDetector(
    Membership membership,
    FailureDetector detector,
    PendingCalls pending,
    BooleanSupplier hasEnded) {
  private static final System.Logger LOG = System.getLogger(EvictionDetector.class.getName());

  /// Takes it that another worker is gone.
  public void departed(Departure departure) {
    boolean isOwnFault = departure.cause() != DepartureCause.GOODBYE && detector.wasFrozen();
    if (isOwnFault && !hasEnded.getAsBoolean() && !membership.isEvicted()) {
      membership.evict();
      LOG.log(Level.ERROR, membership.evicted(false).getMessage());
      pending.end(membership::evicted);
    }
  }
}
