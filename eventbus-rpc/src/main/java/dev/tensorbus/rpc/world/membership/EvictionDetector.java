// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Detects that the world continues without this worker: the majority of a static world has become
/// silent, live workers have removed this worker, or this worker's cluster member was shut down. A
/// pause of this worker is no evidence by itself: when it is over, each worker that answers either
/// still knows this worker or refuses it. A worker whose process has ended does not answer, which
/// is no evidence either.
public final class EvictionDetector {
  private static final System.Logger LOG = System.getLogger(EvictionDetector.class.getName());

  private final Membership membership;
  private final PendingCalls pending;
  private final BooleanSupplier hasEnded;
  private final Majority majority;
  private final String silence;

  /// @param timeout how long a worker may be silent
  /// @param clock the worker's clock
  /// @param hasEnded returns whether this worker expects nothing more from the others
  public EvictionDetector(
      Membership membership,
      PendingCalls pending,
      Duration timeout,
      NanoClock clock,
      BooleanSupplier hasEnded) {
    this.membership = membership;
    this.pending = pending;
    this.hasEnded = hasEnded;
    this.majority = new Majority(timeout, clock);
    this.silence =
        "it was silent for the heartbeat timeout of %d s, and the others continue without it"
            .formatted(timeout.toSeconds());
    membership.onOwnNodeLeft(left -> evict("its member of the cluster was shut down"));
  }

  /// Handles departures that were detected together.
  public void departed(List<Departure> departures) {
    List<Departure> lost =
        departures.stream().filter(gone -> gone.cause() != DepartureCause.GOODBYE).toList();
    if (isCutOff(lost) || isRefusedByAll(lost)) {
      evict(silence);
    }
  }

  private void evict(String reason) {
    if (!hasEnded.getAsBoolean() && !membership.isEvicted()) {
      membership.evict(reason);
      LOG.log(Level.ERROR, membership.evicted(false).getMessage());
      pending.end(membership::evicted);
    }
  }

  private boolean isCutOff(List<Departure> lost) {
    return membership.self().worldSize() > 0
        && majority.isLostBy(
            lost, membership.members().stream().map(member -> member.info().id()).toList());
  }

  /// Returns whether no worker on another node is left, and at least one of those lost has removed
  /// this worker. This criterion also covers worlds of two and dynamic groups, which have no
  /// majority.
  private boolean isRefusedByAll(List<Departure> lost) {
    String here = membership.self().node();
    return lost.stream().anyMatch(gone -> gone.cause() == DepartureCause.REFUSAL)
        && membership.members().stream().allMatch(member -> member.node().equals(here));
  }
}
