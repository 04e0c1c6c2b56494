// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The command that starts one worker of a world as a process.
///
/// @param rank the worker's rank
/// @param name the worker's name
/// @param words the command
/// @param environment variables in addition to those of this process
/// @param withheld variables of this process that the worker does not inherit
public record WorkerCommand(
    int rank,
    String name,
    List<String> words,
    Map<String, String> environment,
    Set<String> withheld) {
  /// Creates the command of a worker that inherits all variables of this process.
  public WorkerCommand(int rank, String name, List<String> words, Map<String, String> environment) {
    this(rank, name, words, environment, Set.of());
  }

  /// Returns the commands that start the workers of all ranks, in order, each in a separate JVM.
  ///
  /// @param main a class that runs a worker as [RoleMain] does
  public static List<WorkerCommand> ofAll(Program program, WorkerOptions options, Class<?> main) {
    return IntStream.range(0, options.worldSize())
        .mapToObj(rank -> of(program, ofRank(rank, options), main))
        .toList();
  }

  /// Returns the options of one rank: each rank has a separate metrics port, and only rank 0 has
  /// the gateway.
  private static WorkerOptions ofRank(int rank, WorkerOptions options) {
    int port = options.optionalInt(Setting.METRICS).orElse(0); // 0: every worker takes a free port
    WorkerOptions ranked = options.with(Setting.RANK, rank);
    WorkerOptions own = port == 0 ? ranked : ranked.with(Setting.METRICS, port + rank);
    return rank == 0 ? own : own.without(GatewaySettings.PORT);
  }

  private static WorkerCommand of(Program program, WorkerOptions options, Class<?> main) {
    int rank = options.rank().orElseThrow();
    return new WorkerCommand(
        rank,
        program.nameOf(rank),
        Jvm.current()
            .command(
                List.of(ProgressEvents.FLAG, Logs.workerFlag(program.nameOf(rank))),
                main.getName(),
                List.of(program.binding(rank).role().label(), "-conf", options.toJson().encode())),
        Map.of(),
        variables(program));
  }

  /// Returns the environment variables of all settings. Workers must not inherit them: the command
  /// already contains all settings, and a variable would override an option given by the user.
  private static Set<String> variables(Program program) {
    return program.settings().all().stream().map(Setting::variable).collect(Collectors.toSet());
  }
}
