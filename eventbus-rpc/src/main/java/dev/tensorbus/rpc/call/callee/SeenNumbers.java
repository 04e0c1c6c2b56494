// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import java.util.Map;
import java.util.TreeMap;

/// Which of one caller's calls have come. None is forgotten while it could come again, so that to
/// have come is certain.
///
/// All but a few have come up to some number, and what is beyond are ranges. A gap is a message
/// that is under way or lost, and it closes when the caller waits for it no more.
final class SeenNumbers {
  /// The least number that has not come.
  private long next = 1;

  /// The ranges that have come beyond it, the last by the first.
  private final TreeMap<Long, Long> beyond = new TreeMap<>();

  /// Whether a number has come, or counts so.
  boolean contains(long number) {
    return number < next || (!beyond.isEmpty() && isBeyond(number));
  }

  private boolean isBeyond(long number) {
    Map.Entry<Long, Long> range = beyond.floorEntry(number);
    return range != null && number <= range.getValue();
  }

  /// Notes a number.
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

  /// Lets all lower numbers count as come.
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

  /// How many gaps there are.
  int gaps() {
    return beyond.size();
  }
}
