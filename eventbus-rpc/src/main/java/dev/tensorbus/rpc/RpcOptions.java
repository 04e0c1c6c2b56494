// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.time.Duration;

/// How a worker takes part in its world. Immutable; each `with` returns a changed copy.
///
/// @param worldSize how many workers the world has
/// @param rank this worker's number, from 0 to `worldSize - 1`
/// @param timeout how long a call may take unless it says otherwise
/// @param rendezvousTimeout how long to wait until every worker of the world is there
public record RpcOptions(int worldSize, int rank, Duration timeout, Duration rendezvousTimeout) {
  /// torch's default for calls.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  /// @throws IllegalArgumentException if the rank is outside the world or a duration is not
  ///     positive
  public RpcOptions {
    if (worldSize < 1) {
      throw new IllegalArgumentException("world size " + worldSize + " must be at least 1");
    }
    if (rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank "
              + rank
              + " is outside the world of "
              + worldSize
              + " workers; give a rank from 0 to "
              + (worldSize - 1));
    }
    requirePositive("timeout", timeout);
    requirePositive("rendezvous timeout", rendezvousTimeout);
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " " + duration + " must be more than zero");
    }
  }

  /// Rank 0 of a world of this size, with the default timeouts.
  public static RpcOptions worldSize(int worldSize) {
    return new RpcOptions(worldSize, 0, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT);
  }

  /// The same with another rank.
  public RpcOptions withRank(int newRank) {
    return new RpcOptions(worldSize, newRank, timeout, rendezvousTimeout);
  }

  /// The same with another time for a call.
  public RpcOptions withTimeout(Duration newTimeout) {
    return new RpcOptions(worldSize, rank, newTimeout, rendezvousTimeout);
  }

  /// The same with another time to wait for the world.
  public RpcOptions withRendezvousTimeout(Duration newTimeout) {
    return new RpcOptions(worldSize, rank, timeout, newTimeout);
  }
}
