// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.callee.IncomingCalls;
import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Heartbeat;
import dev.tensorbus.rpc.wire.message.Heartbeat.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Monitors the workers with which this worker has calls in progress. The cluster detects only
/// workers that are silent towards its first member; with this monitor, any two workers detect that
/// they are disconnected from each other.
///
/// A worker that is silent for too long is quarantined, in Akka's terms: this worker considers it
/// dead, tells it so whenever it is heard from again, and accepts only a new incarnation of it.
/// Other workers are not affected.
public final class HeartbeatMonitor {
  private final Membership membership;
  private final Peers peers;
  private final PendingCalls pending;
  private final IncomingCalls served;
  private final FailureDetector detector;
  private final Refusals refusals;

  public HeartbeatMonitor(
      Membership membership,
      Peers peers,
      PendingCalls pending,
      IncomingCalls served,
      FailureDetector detector,
      Clock clock) {
    this.membership = membership;
    this.peers = peers;
    this.pending = pending;
    this.served = served;
    this.detector = detector;
    this.refusals = new Refusals(membership, clock, peer -> send(peer, Step.ASK));
    membership.onRefusal(refusals::refused);
    membership.onDeparture(gone -> refusals.settleIfAllAreKnown());
  }

  /// Handles a heartbeat.
  public void take(Heartbeat heartbeat) {
    Sender from = heartbeat.from();
    peers.heard(from);
    switch (heartbeat.step()) {
      case ASK -> send(from, membership.isGone(from) ? Step.LOST : Step.ANSWER);
      case ANSWER -> refusals.confirmed(from);
      case LOST -> {
        Member known = known(from);
        if (known != null) {
          refusals.refused(known);
        }
      }
    }
  }

  /// Advances the failure detector by one tick.
  public void tick() {
    Set<Sender> watched = new HashSet<>();
    pending.receivers(watched);
    served.callers(watched);
    // Workers on the same Vertx die together.
    watched.removeIf(peer -> !peers.isOnAnotherNode(peer));
    List<Sender> lost = new ArrayList<>();
    detector.tick(watched, peer -> send(peer, Step.ASK), lost::add);
    lose(lost);
  }

  private @Nullable Member known(Sender life) {
    Member known = membership.member(life.info().name());
    return known != null && known.sender().equals(life) ? known : null;
  }

  private void lose(List<Sender> silent) {
    List<Member> lost = silent.stream().map(this::known).filter(Objects::nonNull).toList();
    membership.quarantine(lost, DepartureCause.SILENCE);
    silent.forEach(peers::refuse);
  }

  private void send(Sender to, Step step) {
    peers.send(to, new Heartbeat(step, peers.self().sender()).toFrame());
  }
}
