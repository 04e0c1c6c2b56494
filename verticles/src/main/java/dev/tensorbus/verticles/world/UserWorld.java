// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
public record UserWorld(
    int worldSize,
    int firstRank,
    int workers,
    String masterAddress,
    int masterPort,
    Map<String, String> variables) {
  /// Returns a world that runs on this machine only.
  public static UserWorld here(int workers, int masterPort) {
    return new UserWorld(workers, 0, workers, "127.0.0.1", masterPort, Map.of());
  }

  /// Returns the commands that start the workers of this machine.
  ///
  /// @param words the main class and its arguments
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
    List<String> flags = List.of(ProgressEvents.FLAG, Logs.workerFlag(name));
    return new WorkerCommand(
        rank, name, jvm.command(flags, WorkerMain.class.getName(), words), environment);
  }
}
