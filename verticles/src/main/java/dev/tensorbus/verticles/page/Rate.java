// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// The speed at which a count grows, averaged over the last ten seconds. Not thread-safe.
final class Rate {
  private static final long WINDOW = Duration.ofSeconds(10).toNanos();

  private final Deque<Reading> readings = new ArrayDeque<>();

  private record Reading(long nanos, long count) {}

  /// Adds a reading. A smaller count starts again: the worker has been restarted.
  ///
  /// @return the growth per second; 0 after the first reading
  double add(long nanos, long count) {
    if (!readings.isEmpty() && count < readings.getLast().count()) {
      readings.clear();
    }
    readings.add(new Reading(nanos, count));
    while (readings.size() > 2 && nanos - readings.getFirst().nanos() > WINDOW) {
      readings.removeFirst();
    }
    Reading first = readings.getFirst();
    return (count - first.count()) * 1e9 / Math.max(1, nanos - first.nanos());
  }
}
