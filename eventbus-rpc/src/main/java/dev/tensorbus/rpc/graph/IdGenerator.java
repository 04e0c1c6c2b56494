// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Makes ids that no other worker makes: the worker's rank in the upper 16 bits, as in torch's
/// context ids, a counter in the lower 48.
///
/// The counter begins at a random value in the lower half of its range. So a worker that takes over
/// the rank of a dead one does not repeat its ids. After a billion ids the chance of one collision
/// is 1 in 100,000. A clock that is set changes nothing.
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

  /// Whether a worker of this rank made an id, in this life or an earlier one.
  boolean isOwn(long id) {
    return rankOf(id) == rankOf(upper);
  }

  /// The rank of the worker that made an id.
  static int rankOf(long id) {
    return (int) (id >>> COUNTER_BITS);
  }

  /// Whether one worker made the first of these ids before the second.
  static boolean isEarlier(long first, long second) {
    return rankOf(first) == rankOf(second) && first < second;
  }
}
