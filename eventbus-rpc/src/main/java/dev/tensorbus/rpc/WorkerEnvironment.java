// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings that a launcher passed to this process: the variables that torchrun sets, and
/// optional ones of Tensorbus.
///
/// @param rank this worker's rank: `RANK`
/// @param worldSize the number of workers: `WORLD_SIZE`
/// @param masterAddress the host of rank 0: `MASTER_ADDR`
/// @param masterPort the port of rank 0: `MASTER_PORT`
/// @param ports the ports to listen on: `TENSORBUS_PORTS`
/// @param advertisedAddress the address to which other workers connect:
///     `TENSORBUS_ADVERTISED_ADDR`, or null
/// @param timeout the timeout of calls and of the rendezvous: `TENSORBUS_TIMEOUT` in seconds, or
///     null
/// @param heartbeatTimeout the heartbeat timeout: `TENSORBUS_HEARTBEAT_TIMEOUT` in seconds, or null
/// @param tls the folder of certificates: `TENSORBUS_TLS`, or null
/// @param trustedNetwork whether everyone on the network is trusted: `TENSORBUS_TRUSTED_NETWORK`
///     is `true`
record WorkerEnvironment(
    int rank,
    int worldSize,
    String masterAddress,
    int masterPort,
    PortRange ports,
    @Nullable String advertisedAddress,
    @Nullable Duration timeout,
    @Nullable Duration heartbeatTimeout,
    @Nullable Path tls,
    boolean trustedNetwork) {
  private static final int LONGEST_SECONDS = 86_400;

  /// Reads the settings of this process.
  ///
  /// @throws RendezvousException if a variable is missing or invalid
  static WorkerEnvironment read() {
    return of(System.getenv());
  }

  /// Returns the worker's options, with default values for settings that the launcher has not set.
  RpcOptions options() {
    RpcOptions options = RpcOptions.worldSize(worldSize).withRank(rank).withPorts(ports);
    if (timeout != null) {
      options = options.withTimeout(timeout).withRendezvousTimeout(timeout);
    }
    return heartbeatTimeout == null ? options : options.withHeartbeatTimeout(heartbeatTimeout);
  }

  /// Returns the meeting point that the launcher has set.
  ///
  /// @param options the worker's options
  Cluster cluster(RpcOptions options) {
    return new Cluster(
        masterAddress,
        masterPort,
        options.rank() == 0,
        options.rendezvousTimeout(),
        options.heartbeatTimeout(),
        options.ports(),
        advertisedAddress,
        tls,
        trustedNetwork);
  }

  static WorkerEnvironment of(Map<String, String> variables) {
    int worldSize = number(variables, "WORLD_SIZE", 1, Integer.MAX_VALUE);
    return new WorkerEnvironment(
        number(variables, "RANK", 0, worldSize - 1),
        worldSize,
        word(variables, "MASTER_ADDR"),
        number(variables, "MASTER_PORT", 1, 65_535),
        ports(variables.get("TENSORBUS_PORTS")),
        variables.get("TENSORBUS_ADVERTISED_ADDR"),
        seconds(variables, "TENSORBUS_TIMEOUT", 1),
        seconds(variables, "TENSORBUS_HEARTBEAT_TIMEOUT", 2),
        variables.containsKey("TENSORBUS_TLS") ? Path.of(variables.get("TENSORBUS_TLS")) : null,
        flag(variables, "TENSORBUS_TRUSTED_NETWORK"));
  }

  private static PortRange ports(@Nullable String given) {
    try {
      return given == null ? PortRange.ANY : PortRange.parse(given);
    } catch (IllegalArgumentException e) {
      throw new RendezvousException("the variable TENSORBUS_PORTS: " + e.getMessage(), e);
    }
  }

  private static @Nullable Duration seconds(Map<String, String> variables, String name, int least) {
    return variables.containsKey(name)
        ? Duration.ofSeconds(number(variables, name, least, LONGEST_SECONDS))
        : null;
  }

  private static boolean flag(Map<String, String> variables, String name) {
    String given = variables.getOrDefault(name, "false");
    if (!List.of("true", "false").contains(given)) {
      throw new RendezvousException(
          "the variable %s is \"%s\"; expected true or false".formatted(name, given), null);
    }
    return given.equals("true");
  }

  private static int number(Map<String, String> variables, String name, int least, int most) {
    String given = word(variables, name);
    try {
      int number = Integer.parseInt(given);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new RendezvousException(
        "the variable %s is \"%s\"; expected a whole number from %d to %d"
            .formatted(name, given, least, most),
        null);
  }

  private static String word(Map<String, String> variables, String name) {
    String given = variables.getOrDefault(name, "").strip();
    if (given.isEmpty()) {
      throw new RendezvousException(
          ("the variable %s is not set; start this program with tensorbus run --workers N, or set"
                  + " RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT")
              .formatted(name),
          null);
    }
    return given;
  }
}
