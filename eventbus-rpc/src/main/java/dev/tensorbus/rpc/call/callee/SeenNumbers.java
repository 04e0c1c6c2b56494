// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import java.util.Map;
import java.util.TreeMap;

/// The numbers of the calls that have arrived from one caller. No number is forgotten while the
/// call could arrive again.
///
/// All numbers below `next` have arrived; higher numbers that have arrived are stored as ranges. A
/// gap consists of calls whose requests are in transit or lost. It closes when the requests arrive
/// or the caller no longer waits for the calls.
final class SeenNumbers {
  /// The lowest number that has not arrived.
  private long next = 1;

  /// The ranges above `next` that have arrived, from first number to last number (inclusive).
  private final TreeMap<Long, Long> beyond = new TreeMap<>();

  /// Returns whether a number has arrived, or counts as arrived.
  boolean contains(long number) {
    return number < next || (!beyond.isEmpty() && isBeyond(number));
  }

  private boolean isBeyond(long number) {
    Map.Entry<Long, Long> range = beyond.floorEntry(number);
    return range != null && number <= range.getValue();
  }

  /// Adds a number.
  void add(long number) {
    if (contains(number)) {
      return;
    }
    if (number == next) {
      next++;
      takeIn();
      return;
    }
    Map.Entry<Long, Long> before = beyond.floorEntry(number);
    boolean follows = before != null && before.getValue() == number - 1;
    Long last = beyond.remove(number + 1);
    beyond.put(follows ? before.getKey() : number, last == null ? number : last);
  }

  /// Makes all numbers below `number` count as arrived.
  void addBelow(long number) {
    if (number > next) {
      next = number;
      takeIn();
    }
  }

  private void takeIn() {
    while (!beyond.isEmpty() && beyond.firstKey() <= next) {
      next = Math.max(next, beyond.pollFirstEntry().getValue() + 1);
    }
  }

  /// Returns the number of gaps.
  int gaps() {
    return beyond.size();
  }
}
