// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import java.util.concurrent.atomic.AtomicLong;

/// Numbers that no other worker gives: the worker's rank in the upper 16 bits, as in torch's
/// context ids, a counter in the lower 48.
///
/// The counter begins at the milliseconds since 2020 times 128, so a worker that takes over the
/// rank of one that is gone gives none of its numbers again, unless that one gave more than
/// 128,000 a second for all its life.
final class Numbers {
  private static final int COUNTER_BITS = 48;
  private static final int BITS_A_MILLISECOND = 7;
  private static final long FIRST_MILLISECOND = 1_577_836_800_000L;

  private final long upper;
  private final AtomicLong counter;

  Numbers(int rank) {
    upper = (long) rank << COUNTER_BITS;
    long now = Math.max(0, System.currentTimeMillis() - FIRST_MILLISECOND);
    counter = new AtomicLong(now << BITS_A_MILLISECOND);
  }

  long next() {
    return upper | counter.incrementAndGet();
  }

  /// Whether this rank gave a number, in this life or an earlier one.
  boolean areMine(long number) {
    return giver(number) == giver(upper);
  }

  /// The rank that gave a number.
  static int giver(long number) {
    return (int) (number >>> COUNTER_BITS);
  }

  /// Whether one worker gave the first of these numbers before the second.
  static boolean isEarlier(long first, long second) {
    return giver(first) == giver(second) && first < second;
  }
}
