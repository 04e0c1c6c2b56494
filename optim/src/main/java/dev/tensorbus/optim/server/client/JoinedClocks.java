// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The clocks of a trainer in the slots that it has joined, before its first push. If it joins
/// while others push, one slot may know the trainer before a step, and another one after it.
///
/// Thread-safe.
final class JoinedClocks {
  private final SortedMap<Integer, Long> clocks = new TreeMap<>();

  /// Sets the clocks in some slots.
  synchronized void set(Map<Integer, Long> joined) {
    clocks.putAll(joined);
  }

  /// Adds one push in some slots.
  synchronized void advance(Collection<Integer> slots) {
    slots.forEach(slot -> clocks.merge(slot, 1L, Long::sum));
  }

  /// Returns whether the trainer has joined no slot yet.
  synchronized boolean isEmpty() {
    return clocks.isEmpty();
  }

  /// Returns the difference between the highest and the lowest clock.
  synchronized long difference() {
    return clocks.isEmpty()
        ? 0
        : Collections.max(clocks.values()) - Collections.min(clocks.values());
  }

  /// Returns the slots with the lowest clock.
  synchronized SortedSet<Integer> lowest() {
    SortedMap<Long, SortedSet<Integer>> slots = new TreeMap<>();
    clocks.forEach((slot, clock) -> slots.computeIfAbsent(clock, _ -> new TreeSet<>()).add(slot));
    return slots.values().stream().findFirst().orElseGet(TreeSet::new);
  }
}
