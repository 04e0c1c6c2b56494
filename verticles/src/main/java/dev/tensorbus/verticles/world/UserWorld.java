// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A world whose workers run a main of the user's. Each finds in its environment which worker it
/// is, by torchrun's variables.
///
/// @param worldSize workers in all, on all machines
/// @param firstRank the rank of the first one on this machine
/// @param workers how many run on this machine
/// @param masterAddress the host of rank 0
/// @param masterPort its port
/// @param variables what all workers of this machine have in their environment besides
public record UserWorld(
    int worldSize,
    int firstRank,
    int workers,
    String masterAddress,
    int masterPort,
    Map<String, String> variables) {
  /// One that runs on this machine as a whole.
  public static UserWorld here(int workers, int masterPort) {
    return new UserWorld(workers, 0, workers, "127.0.0.1", masterPort, Map.of());
  }

  /// How to start the workers of this machine.
  ///
  /// @param words the class with the main, and its arguments
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
