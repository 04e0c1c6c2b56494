// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// The settings of a worker in its world. Immutable; each `with` method returns a changed copy.
///
/// @param worldSize the number of workers of the world, or 0 for a dynamic group, which workers may
///     join and leave at any time
/// @param rank this worker's rank, from 0; less than the world size unless the group is dynamic
/// @param timeout the default timeout of calls
/// @param rendezvousTimeout how long to wait until every worker of the world has joined
/// @param maxCalls the maximum number of calls that this worker runs concurrently, not counting
///     Tensorbus's own; further calls are queued or fail; see [CallOptions#failsWhenBusy]
/// @param leakCheck how to treat references that are open at shutdown
/// @param lanes the routes that large tensors may take instead of the event bus; for each peer, the
///     best one that works is used
/// @param laneThreshold the total size in bytes from which a message's tensors are sent on a lane
/// @param program the name of the program that the world runs; a worker started for another program
///     or by another version of Tensorbus is rejected
/// @param heartbeatTimeout how long a worker with which this one exchanges calls may be silent
///     before it is considered dead; must equal the heartbeat timeout of the [Cluster]
/// @param idleStrategy how this worker's threads wait for messages
/// @param ports the ports on which this worker may listen for tensors; must equal the ports of the
///     [Cluster]
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
  /// The default timeout of calls, as in torch.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  /// The default rendezvous timeout, as in torchrun. The first worker may have to wait until the
  /// last machine is available.
  public static final Duration DEFAULT_RENDEZVOUS_TIMEOUT = Duration.ofMinutes(10);

  /// The default maximum number of concurrent calls. A blocked call costs only a few KiB.
  public static final int DEFAULT_MAX_CALLS = 32_768;

  /// The default lane threshold in bytes. From this size, a lane is faster than a message.
  public static final int DEFAULT_LANE_THRESHOLD = 64 << 10;

  private static final int DYNAMIC = 0;

  /// @throws IllegalArgumentException if the rank is outside the world, or another setting is out
  ///     of range
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
              + " workers; expected a rank from 0 to "
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

  /// Returns the default options of rank 0 in a world of this size.
  ///
  /// @throws IllegalArgumentException if the size is not positive
  public static RpcOptions worldSize(int worldSize) {
    if (worldSize < 1) {
      throw new IllegalArgumentException(
          "world size " + worldSize + " must be at least 1; for a dynamic group use dynamic(rank)");
    }
    return first(worldSize, 0);
  }

  /// Returns the default options of a member of a dynamic group, which workers may join and leave
  /// at any time.
  ///
  /// @param rank a rank that no other member has
  public static RpcOptions dynamic(int rank) {
    return first(DYNAMIC, rank);
  }

  /// Returns the default options with the rank, world size, ports and timeouts that the launcher of
  /// this process has set; see [Rpc#run].
  ///
  /// @throws RendezvousException if `RANK` or `WORLD_SIZE` is missing or invalid, `TENSORBUS_PORTS`
  ///     is not a range, or `TENSORBUS_TIMEOUT` or `TENSORBUS_HEARTBEAT_TIMEOUT` is not a number of
  ///     seconds
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

  /// Returns whether the group has no fixed size.
  public boolean isDynamic() {
    return worldSize == DYNAMIC;
  }

  /// Returns a copy with another rank.
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

  /// Returns a copy with another default timeout of calls.
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

  /// Returns a copy with another rendezvous timeout.
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

  /// Returns a copy with another maximum number of concurrent calls. A call counts until the future
  /// that its method returns has completed, so allow at least as many calls as may wait for each
  /// other.
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

  /// Returns a copy with another leak check.
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

  /// Returns a copy with other lanes for large tensors. Without lanes, tensors are sent in
  /// messages.
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

  /// Returns a copy with another lane threshold. If a lane is available, a message's tensors are
  /// sent on it if their total size is at least `bytes`.
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

  /// Returns a copy for a world that runs this program, such as `mnist`.
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

  /// Returns a copy with another heartbeat timeout.
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

  /// Returns a copy with another idle strategy. [IdleMode#ADAPTIVE] is faster if calls are short;
  /// with [IdleMode#PARK] a waiting thread never occupies a core.
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

  /// Returns a copy with another port range.
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
