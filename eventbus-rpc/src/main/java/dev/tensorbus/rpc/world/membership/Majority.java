// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/// Decides which part of a partitioned world continues: the larger part or, of two halves, the one
/// with the lowest rank ("keep majority" of Akka's split brain resolver).
///
/// A worker cannot tell whether it was cut off itself or the others were, so it counts the workers
/// that it has lost within two heartbeat timeouts. If all of them have said goodbye or their
/// processes have ended, this worker is not cut off. A world of two has no majority.
final class Majority {
  private static final int LEAST = 3;

  /// Hazelcast may take this many timeouts to agree on a new first member.
  private static final int TIMEOUTS = 2;

  private final long windowNanos;
  private final NanoClock clock;
  private final Deque<Loss> losses = new ArrayDeque<>();

  private record Loss(int rank, boolean isSilent, long time) {}

  /// @param timeout how long a worker may be silent
  /// @param clock the worker's clock
  Majority(Duration timeout, NanoClock clock) {
    this.windowNanos = timeout.toNanos() * TIMEOUTS;
    this.clock = clock;
  }

  /// Handles departures without a goodbye.
  ///
  /// @param departures departures that were detected together
  /// @param left the ranks that this worker still knows, including its own
  /// @return whether this worker is now in the part that does not continue
  synchronized boolean isLostBy(List<Departure> departures, List<Integer> left) {
    long now = clock.nanoTime();
    for (Departure departure : departures) {
      losses.add(
          new Loss(
              departure.member().info().id(), departure.cause() != DepartureCause.NODE_LEFT, now));
    }
    losses.removeIf(loss -> now - loss.time() > windowNanos);
    int before = left.size() + losses.size();
    return before >= LEAST
        && losses.stream().anyMatch(Loss::isSilent)
        && (2 * left.size() < before || (2 * left.size() == before && !hasLowest(left)));
  }

  private boolean hasLowest(List<Integer> left) {
    IntStream lost = losses.stream().mapToInt(Loss::rank);
    return left.stream().mapToInt(rank -> rank).min().orElse(0) < lost.min().orElse(0);
  }
}
