// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.group.Round;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The rounds that a worker leads. Each round ends once, with the same outcome for all members.
/// Outcomes of rounds that timed out are retained for late members, so that the next calls of all
/// members belong to the same round again.
final class Meetings {
  private static final int REMEMBERED = 1024;

  private final Map<CollectiveRound, Round<Integer, Object, RoundEnd>> open = new HashMap<>();
  private final Map<CollectiveRound, RoundEnd> failed = new LinkedHashMap<>();
  private final Predicate<Sender> isGone;

  /// @param isGone whether an incarnation of a worker has ended
  Meetings(Predicate<Sender> isGone) {
    this.isGone = isGone;
  }

  /// Adds a member's value to a round.
  ///
  /// @return a future of the round's end
  synchronized Future<RoundEnd> arrive(CollectiveRound round, WorkerInfo member, Object value) {
    RoundEnd failure = failed.get(round);
    if (failure != null) {
      return Future.succeededFuture(failure);
    }
    // Checked only here: if a member is lost later, [#workerLost] ends its rounds.
    Optional<Sender> gone = round.members().stream().filter(isGone).findFirst();
    if (gone.isPresent()) {
      RoundEnd left = RoundEnd.left(gone.get().info().name());
      end(round, left);
      return Future.succeededFuture(left);
    }
    Future<RoundEnd> end = open.computeIfAbsent(round, Meetings::begin).add(member.id(), value);
    if (end.isComplete()) {
      open.remove(round);
    }
    return end;
  }

  private static Round<Integer, Object, RoundEnd> begin(CollectiveRound round) {
    List<Integer> ranks = round.members().stream().map(member -> member.info().id()).toList();
    return new Round<>(
        (Collection<Integer> arrived) -> arrived.containsAll(ranks),
        values -> RoundEnd.of(AllReduce.of(round, byName(round, values))));
  }

  private static Map<String, @Nullable Object> byName(
      CollectiveRound round, Map<Integer, Object> values) {
    Map<String, @Nullable Object> byName = new LinkedHashMap<>();
    round
        .members()
        .forEach(member -> byName.put(member.info().name(), values.get(member.info().id())));
    return byName;
  }

  /// Fails a round that is still incomplete when a member's timeout expires.
  synchronized void expire(CollectiveRound round, long limitNanos) {
    Round<Integer, ?, RoundEnd> waiting = open.get(round);
    if (waiting == null) {
      return;
    }
    List<String> missing =
        round.members().stream()
            .filter(member -> !waiting.arrived().contains(member.info().id()))
            .map(member -> member.info().name())
            .toList();
    RoundEnd late = RoundEnd.late(missing, limitNanos);
    failed.put(round, late);
    if (failed.size() > REMEMBERED) {
      failed.remove(failed.keySet().iterator().next());
    }
    end(round, late);
  }

  private void end(CollectiveRound round, RoundEnd failure) {
    Round<?, ?, RoundEnd> waiting = open.remove(round);
    if (waiting != null) {
      waiting.end(failure);
    }
  }

  /// Fails the open rounds that include this worker, whose incarnation has ended.
  synchronized void workerLost(Sender life) {
    RoundEnd left = RoundEnd.left(life.info().name());
    List.copyOf(open.keySet()).stream()
        .filter(round -> round.members().contains(life))
        .forEach(round -> end(round, left));
    failed.keySet().removeIf(round -> round.members().contains(life));
  }
}
