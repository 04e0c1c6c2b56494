// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.benchmarks.chaos.Outcome.Happened;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A period in which a worker was frozen.
///
/// @param end the thaw or kill that ended it; null if there was neither
/// @param millis how long another worker was awake during the period and could notice the silence
record Silence(int rank, Happened start, @Nullable Happened end, long millis) {
  /// Returns the silences of a world; those without an end come last.
  static List<Silence> in(Outcome outcome) {
    Sweep sweep = new Sweep(outcome.plan().worldSize());
    outcome.happened().forEach(sweep::next);
    sweep.frozen.forEach((rank, start) -> sweep.end(rank, start, null));
    return List.copyOf(sweep.silences);
  }

  /// Returns whether the world was complete before the silence and not yet finished when the
  /// silence ended.
  boolean isAtWork() {
    return start.isComplete() && end != null && !end.isFinished();
  }

  /// Processes the events in order.
  private static final class Sweep {
    private final int worldSize;
    private final List<Silence> silences = new ArrayList<>();
    private final Map<Integer, Happened> frozen = new HashMap<>();
    private final Map<Integer, Long> missed = new HashMap<>();
    private final Set<Integer> dead = new HashSet<>();
    private long now;

    Sweep(int worldSize) {
      this.worldSize = worldSize;
    }

    void next(Happened event) {
      if (frozen.size() + dead.size() < worldSize) {
        frozen.keySet().forEach(rank -> missed.merge(rank, event.afterMillis() - now, Long::sum));
      }
      now = event.afterMillis();
      switch (event.what()) {
        case Disturbance.Freeze(int rank) -> frozen.putIfAbsent(rank, event);
        case Disturbance.Thaw(int rank) -> wake(rank, event);
        case Disturbance.Kill(int rank) -> {
          wake(rank, event);
          dead.add(rank);
        }
        case Disturbance.Restart(int rank) -> dead.remove(rank);
        default -> {}
      }
    }

    private void wake(int rank, Happened event) {
      Happened start = frozen.remove(rank);
      if (start != null) {
        end(rank, start, event);
      }
    }

    void end(int rank, Happened start, @Nullable Happened end) {
      Long millis = missed.remove(rank);
      silences.add(new Silence(rank, start, end, millis == null ? 0 : millis));
    }
  }
}
