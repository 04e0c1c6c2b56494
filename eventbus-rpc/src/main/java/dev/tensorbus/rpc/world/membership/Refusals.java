// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Sender;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Collects refusals, in which other workers report that they have removed this worker. After the
/// first refusal, all other workers are asked whether they still know this worker. Once all have
/// confirmed or refused, the refusing workers are treated as departed. A worker that was evicted
/// during a pause thus finds out at once, rather than from one worker after another while its calls
/// fail for different reasons.
final class Refusals {
  /// How long to wait for all answers. A worker whose cluster has removed this worker cannot
  /// answer; its cluster reports the removal at Hazelcast's next heartbeat.
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Membership membership;
  private final Clock clock;
  private final Consumer<Sender> ask;
  private final Set<Member> refusing = new LinkedHashSet<>();
  private final Set<Sender> confirming = new HashSet<>();

  /// The alarm that ends the wait, set at the first refusal.
  private @Nullable ScheduledFuture<?> limit;

  /// @param ask asks a worker whether it still knows this worker
  Refusals(Membership membership, Clock clock, Consumer<Sender> ask) {
    this.membership = membership;
    this.clock = clock;
    this.ask = ask;
  }

  /// Handles a refusal from a known worker.
  void refused(Member member) {
    boolean isFirst;
    synchronized (this) {
      isFirst = refusing.isEmpty();
      refusing.add(member);
      if (isFirst) {
        limit = clock.alarm(PATIENCE.toNanos(), this::settle);
      }
    }
    if (isFirst) {
      others().stream().filter(other -> !other.equals(member)).map(Member::sender).forEach(ask);
    }
    settleIfAllAreKnown();
  }

  /// Handles the answer of a worker that still knows this worker.
  void confirmed(Sender worker) {
    synchronized (this) {
      if (refusing.isEmpty()) {
        return;
      }
      confirming.add(worker);
    }
    settleIfAllAreKnown();
  }

  private synchronized boolean areAllKnown() {
    return others().stream()
        .allMatch(other -> refusing.contains(other) || confirming.contains(other.sender()));
  }

  /// Settles the refusals if no more answers are expected. Also called when a worker has departed,
  /// since that worker need not answer.
  void settleIfAllAreKnown() {
    if (areAllKnown()) {
      settle();
    }
  }

  private void settle() {
    List<Member> settled;
    synchronized (this) {
      settled = List.copyOf(refusing);
      refusing.clear();
      confirming.clear();
      Clock.cancel(limit);
    }
    membership.quarantine(settled, DepartureCause.REFUSAL);
  }

  /// Returns the workers on other nodes.
  private List<Member> others() {
    String here = membership.self().node();
    return membership.members().stream().filter(member -> !member.node().equals(here)).toList();
  }
}
