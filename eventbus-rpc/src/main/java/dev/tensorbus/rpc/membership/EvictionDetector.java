// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.membership;

import dev.tensorbus.rpc.pending.PendingCalls;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Finds out that the world goes on without this worker. A worker that was frozen for the heartbeat
/// time-out, and wakes up to find that others are gone, has not lost them: they have lost it. Nor
/// has a worker that is cut off from most of a static world.
public final class EvictionDetector {
  private static final System.Logger LOG = System.getLogger(EvictionDetector.class.getName());

  private final Membership membership;
  private final FailureDetector detector;
  private final PendingCalls pending;
  private final BooleanSupplier hasEnded;
  private final Majority majority;

  /// @param timeout how long a worker may be silent
  /// @param nanoTime a clock that never steps, in nanoseconds
  /// @param hasEnded whether nothing more is expected of the others
  public EvictionDetector(
      Membership membership,
      FailureDetector detector,
      PendingCalls pending,
      Duration timeout,
      LongSupplier nanoTime,
      BooleanSupplier hasEnded) {
    this.membership = membership;
    this.detector = detector;
    this.pending = pending;
    this.hasEnded = hasEnded;
    this.majority = new Majority(timeout, nanoTime);
  }

  /// Takes it that another worker is gone.
  public void departed(Departure departure) {
    boolean isOwnFault =
        isCutOff(departure)
            || (departure.cause() != DepartureCause.GOODBYE && detector.wasFrozen());
    if (isOwnFault && !hasEnded.getAsBoolean() && !membership.isEvicted()) {
      membership.evict();
      LOG.log(Level.ERROR, membership.evicted(false).getMessage());
      pending.end(membership::evicted);
    }
  }

  private boolean isCutOff(Departure departure) {
    return membership.self().worldSize() > 0
        && majority.isLostBy(
            departure, membership.members().stream().map(member -> member.info().id()).toList());
  }
}
