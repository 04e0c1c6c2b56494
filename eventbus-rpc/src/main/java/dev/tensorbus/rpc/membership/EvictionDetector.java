// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.membership;

import dev.tensorbus.rpc.pending.PendingCalls;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Detects that the world goes on without this worker: that most of a static world is lost to it by
/// silence, or that workers which live have removed it. It never concludes that from its own
// pauses:
/// a worker that was paused is told so by those who answer, each of which still has it or refuses
/// it. A worker whose process has ended answers nobody, and its death is nobody's fault.
public final class EvictionDetector {
  private static final System.Logger LOG = System.getLogger(EvictionDetector.class.getName());

  private final Membership membership;
  private final PendingCalls pending;
  private final BooleanSupplier hasEnded;
  private final Majority majority;

  /// @param timeout how long a worker may be silent
  /// @param nanoTime a clock that never steps, in nanoseconds
  /// @param hasEnded whether nothing more is expected of the others
  public EvictionDetector(
      Membership membership,
      PendingCalls pending,
      Duration timeout,
      LongSupplier nanoTime,
      BooleanSupplier hasEnded) {
    this.membership = membership;
    this.pending = pending;
    this.hasEnded = hasEnded;
    this.majority = new Majority(timeout, nanoTime);
  }

  /// Takes it that another worker is gone.
  public void departed(Departure departure) {
    boolean isEvicted = isCutOff(departure) || isRefusedByAll(departure);
    if (isEvicted && !hasEnded.getAsBoolean() && !membership.isEvicted()) {
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

  /// Whether the last worker of another node has removed this one. This decides in worlds of two
  // and
  /// in dynamic groups, which have no majority.
  private boolean isRefusedByAll(Departure departure) {
    String here = membership.self().node();
    return departure.cause() == DepartureCause.REFUSAL
        && membership.members().stream().allMatch(member -> member.node().equals(here));
  }
}
