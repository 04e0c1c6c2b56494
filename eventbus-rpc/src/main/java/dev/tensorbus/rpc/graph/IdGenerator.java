// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Creates globally unique ids with the layout of torch's context ids: the worker's rank in the
/// upper 16 bits, a counter in the lower 48.
///
/// The counter starts at a random value in the lower half of its range, so that a worker with the
/// rank of a dead one hardly ever repeats an id. After a billion ids the probability of a collision
/// is about 1 in 100,000. Changes of the system time have no effect.
final class IdGenerator {
  private static final int COUNTER_BITS = 48;
  private static final long BEGINNINGS = 1L << (COUNTER_BITS - 1);

  private final long upper;
  private final AtomicLong counter;

  IdGenerator(int rank) {
    upper = (long) rank << COUNTER_BITS;
    counter = new AtomicLong(ThreadLocalRandom.current().nextLong(BEGINNINGS));
  }

  long next() {
    return upper | counter.incrementAndGet();
  }

  /// Returns whether a worker of this rank created an id, in this incarnation or an earlier one.
  boolean isOwn(long id) {
    return rankOf(id) == rankOf(upper);
  }

  /// Returns the rank of the worker that created an id.
  static int rankOf(long id) {
    return (int) (id >>> COUNTER_BITS);
  }

  /// Returns whether the same worker created both ids, `first` before `second`.
  static boolean isEarlier(long first, long second) {
    return rankOf(first) == rankOf(second) && first < second;
  }
}
