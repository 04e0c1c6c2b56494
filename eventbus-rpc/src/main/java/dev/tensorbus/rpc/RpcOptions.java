// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// How a worker takes part in its world. Immutable; each `with` returns a changed copy.
///
/// @param worldSize how many workers the world has, or 0 for a dynamic group, which workers join
///     and leave as they like
/// @param rank this worker's number, from 0; below the world size if there is one
/// @param timeout how long a call may take unless it says otherwise
/// @param rendezvousTimeout how long to wait until every worker of the world is there
/// @param maxCalls how many calls this worker runs at a time, Tensorbus's own not counted; those
///     beyond wait here, or fail, see [CallOptions#failsWhenBusy]
/// @param leakCheck what to do about references that are open at the end
/// @param lanes the ways that large tensors may take beside the event bus, the best of them if it
///     leads there
/// @param laneThreshold from how many bytes on the tensors of a message take them
/// @param program the program that the world runs, in words for its users; a worker that was
///     started for another program or by another version of Tensorbus is refused
/// @param heartbeatTimeout how long a worker that this one has calls with may be silent before it
///     counts as dead; to be the same as its [Cluster]'s
/// @param idleStrategy how this worker's threads wait for messages
/// @param ports where its door for tensors may be; to be the same as its [Cluster]'s
public record RpcOptions(
    int worldSize,
    int rank,
    Duration timeout,
    Duration rendezvousTimeout,
    int maxCalls,
    LeakCheck leakCheck,
    Set<Lane> lanes,
    int laneThreshold,
    String program,
    Duration heartbeatTimeout,
    IdleMode idleStrategy,
    PortRange ports) {
  /// torch's default for calls.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  /// torchrun's default. The first worker may wait until the last machine is free.
  public static final Duration DEFAULT_RENDEZVOUS_TIMEOUT = Duration.ofMinutes(10);

  /// A blocked call costs a few KiB.
  public static final int DEFAULT_MAX_CALLS = 32_768;

  /// Where a lane begins to be faster than a message.
  public static final int DEFAULT_LANE_THRESHOLD = 64 << 10;

  private static final int DYNAMIC = 0;

  /// @throws IllegalArgumentException if the rank is outside the world, or something is not
  ///     positive
  public RpcOptions {
    if (worldSize < 0) {
      throw new IllegalArgumentException("world size " + worldSize + " must be at least 1");
    }
    if (rank < 0 || (worldSize != DYNAMIC && rank >= worldSize)) {
      throw new IllegalArgumentException(
          "rank "
              + rank
              + " is outside the world of "
              + worldSize
              + " workers; give a rank from 0 to "
              + (worldSize - 1));
    }
    timeout = TimeLimit.of("timeout", timeout);
    rendezvousTimeout = TimeLimit.of("rendezvous timeout", rendezvousTimeout);
    heartbeatTimeout = TimeLimit.of("heartbeat timeout", heartbeatTimeout);
    if (maxCalls < 1) {
      throw new IllegalArgumentException("max calls " + maxCalls + " must be at least 1");
    }
    if (laneThreshold < 0) {
      throw new IllegalArgumentException(
          "lane threshold " + laneThreshold + " must not be negative");
    }
    lanes = Set.copyOf(lanes);
  }

  /// Rank 0 of a world of this size, with the defaults.
  ///
  /// @throws IllegalArgumentException if the size is not positive
  public static RpcOptions worldSize(int worldSize) {
    if (worldSize < 1) {
      throw new IllegalArgumentException(
          "world size " + worldSize + " must be at least 1; for a dynamic group see dynamic(rank)");
    }
    return first(worldSize, 0);
  }

  /// A member of a dynamic group, which workers join and leave as they like.
  ///
  /// @param rank a number that no other member has
  public static RpcOptions dynamic(int rank) {
    return first(DYNAMIC, rank);
  }

  /// The rank, the world size, the ports and the time limits that the launcher of this process has
  /// set, see [Rpc#run], with the defaults.
  ///
  /// @throws RendezvousException if `RANK` or `WORLD_SIZE` is missing or is no such number,
  ///     `TENSORBUS_PORTS` is no range, or `TENSORBUS_TIMEOUT` or `TENSORBUS_HEARTBEAT_TIMEOUT` is
  ///     no number of seconds
  public static RpcOptions fromEnvironment() {
    return WorkerEnvironment.read().options();
  }

  private static RpcOptions first(int worldSize, int rank) {
    return new RpcOptions(
        worldSize,
        rank,
        DEFAULT_TIMEOUT,
        DEFAULT_RENDEZVOUS_TIMEOUT,
        DEFAULT_MAX_CALLS,
        LeakCheck.OFF,
        EnumSet.allOf(Lane.class),
        DEFAULT_LANE_THRESHOLD,
        "",
        Cluster.DEFAULT_HEARTBEAT_TIMEOUT,
        IdleMode.ADAPTIVE,
        PortRange.ANY);
  }

  /// Whether the group has no fixed size.
  public boolean isDynamic() {
    return worldSize == DYNAMIC;
  }

  /// The same with another rank.
  public RpcOptions withRank(int newRank) {
    return new RpcOptions(
        worldSize,
        newRank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another time for a call.
  public RpcOptions withTimeout(Duration newTimeout) {
    return new RpcOptions(
        worldSize,
        rank,
        newTimeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another time to wait for the world.
  public RpcOptions withRendezvousTimeout(Duration newTimeout) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        newTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another number of calls at a time. A call counts until the future of its method
  /// completes: give at least the size of a group whose calls wait for each other.
  public RpcOptions withMaxCalls(int newMaxCalls) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        newMaxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another check for leaks.
  public RpcOptions withLeakCheck(LeakCheck newLeakCheck) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        newLeakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with other ways for large tensors; without any, they travel in messages.
  public RpcOptions withLanes(Lane... newLanes) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        Set.of(newLanes),
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another size from which tensors travel beside the event bus; 0 for all.
  public RpcOptions withLaneThreshold(int bytes) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        bytes,
        program,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same for a world that runs this program, such as `mnist`.
  public RpcOptions withProgram(String newProgram) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        newProgram,
        heartbeatTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another time for which a worker may be silent.
  public RpcOptions withHeartbeatTimeout(Duration newTimeout) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        newTimeout,
        idleStrategy,
        ports);
  }

  /// The same with another way to wait. [IdleMode#ADAPTIVE] is the faster one where calls are
  /// short; with [IdleMode#PARK] a waiting thread never takes a core.
  public RpcOptions withIdleStrategy(IdleMode newIdleStrategy) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        newIdleStrategy,
        ports);
  }

  /// The same with other ports.
  public RpcOptions withPorts(PortRange newPorts) {
    return new RpcOptions(
        worldSize,
        rank,
        timeout,
        rendezvousTimeout,
        maxCalls,
        leakCheck,
        lanes,
        laneThreshold,
        program,
        heartbeatTimeout,
        idleStrategy,
        newPorts);
  }
}
