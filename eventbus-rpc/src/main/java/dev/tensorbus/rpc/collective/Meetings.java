// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The rounds that a worker leads: those that wait for somebody, and those that failed and whose
/// latecomers are to hear of it, so that the next round of everybody is the same one.
final class Meetings {
  private static final int REMEMBERED = 1024;

  private final Map<CollectiveRound, Meeting> meetings = new LinkedHashMap<>();
  private final Predicate<Sender> isGone;

  /// @param isGone whether a life of a worker has ended
  Meetings(Predicate<Sender> isGone) {
    this.isGone = isGone;
  }

  /// Takes what a member brings, and waits for the end. Blocks.
  RoundEnd meet(CollectiveRound round, String member, Object value, long limitNanos)
      throws InterruptedException {
    return join(round, member, value).await(limitNanos);
  }

  private synchronized Meeting join(CollectiveRound round, String member, Object value) {
    Meeting meeting = meetings.computeIfAbsent(round, Meeting::new);
    // Asked once: of one that goes later, [#workerLost] tells those that are still here.
    Optional<Sender> gone = round.members().stream().filter(isGone).findFirst();
    gone.ifPresent(meeting::lose);
    meeting.arrive(member, value);
    if (meeting.hasAll() || gone.isPresent()) {
      meetings.remove(round);
    }
    forgetOldest();
    return meeting;
  }

  private void forgetOldest() {
    if (meetings.size() > REMEMBERED) {
      meetings.values().stream()
          .filter(Meeting::isOver)
          .findFirst()
          .ifPresent(meetings.values()::remove);
    }
  }

  /// Fails the rounds that a life of a worker takes part in which has ended.
  synchronized void workerLost(Sender life) {
    meetings
        .entrySet()
        .removeIf(
            entry -> {
              boolean isTouched = entry.getKey().members().contains(life);
              if (isTouched) {
                entry.getValue().lose(life);
              }
              return isTouched;
            });
  }
}
