// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// A world whose workers run the user's main. torchrun's environment variables tell each worker its
/// rank.
///
/// @param worldSize the number of workers on all machines
/// @param firstRank the rank of the first worker on this machine
/// @param workers the number of workers on this machine
/// @param masterAddress the host of rank 0
/// @param masterPort the port of rank 0
/// @param variables further environment variables of the workers on this machine
/// @param debugPort the port on which a debugger attaches to the first worker on this machine; each
///     further worker has the next port
public record UserWorld(
    int worldSize,
    int firstRank,
    int workers,
    String masterAddress,
    int masterPort,
    Map<String, String> variables,
    OptionalInt debugPort) {
  /// A worker that stops at a breakpoint for this number of seconds is not considered dead.
  private static final String DEBUG_TIMEOUT = "86400";

  /// Returns a world that runs on this machine only.
  public static UserWorld here(int workers, int masterPort, OptionalInt debugPort) {
    return new UserWorld(workers, 0, workers, "127.0.0.1", masterPort, Map.of(), debugPort);
  }

  /// Returns the commands that start the workers of this machine.
  ///
  /// @param words the main class and its arguments
  /// @throws UsageException if a port for a debugger is in use
  public List<WorkerCommand> commands(Jvm jvm, List<String> words) {
    return IntStream.range(firstRank, firstRank + workers)
        .mapToObj(rank -> command(rank, jvm, words))
        .toList();
  }

  private WorkerCommand command(int rank, Jvm jvm, List<String> words) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("RANK", Integer.toString(rank));
    environment.put("LOCAL_RANK", Integer.toString(rank - firstRank));
    environment.put("WORLD_SIZE", Integer.toString(worldSize));
    environment.put("MASTER_ADDR", masterAddress);
    environment.put("MASTER_PORT", Integer.toString(masterPort));
    String name = "worker" + rank;
    List<String> flags = new ArrayList<>(List.of(ProgressEvents.FLAG, Logs.workerFlag(name)));
    if (debugPort.isPresent()) {
      flags.add(debugFlag(debugPort.getAsInt() + rank - firstRank, name));
      for (Setting timeout : List.of(Setting.TIMEOUT, Setting.HEARTBEAT_TIMEOUT)) {
        if (System.getenv(timeout.variable()) == null) {
          environment.putIfAbsent(timeout.variable(), DEBUG_TIMEOUT);
        }
      }
    }
    return new WorkerCommand(
        rank, name, jvm.command(flags, WorkerMain.class.getName(), words), environment);
  }

  /// Returns the flag with which a JVM listens for a debugger. Checks the port here, because a JVM
  /// that cannot listen ends with five lines about its agent.
  private static String debugFlag(int port, String name) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:"
          + socket.getLocalPort();
    } catch (IOException e) {
      throw new UsageException(
          ("port %d, for the debugger of %s, cannot be used: %s;"
                  + " set %s to the first of several free ports")
              .formatted(port, name, e.getMessage(), Setting.DEBUG.option()));
    }
  }
}
