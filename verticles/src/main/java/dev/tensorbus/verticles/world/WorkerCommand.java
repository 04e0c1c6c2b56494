// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Ranks;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.ServerSettings;
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
/// @param group the workers of which some must be left
public record WorkerCommand(
    int rank,
    String name,
    List<String> words,
    Map<String, String> environment,
    Set<String> withheld,
    Group group) {
  /// Workers that can stand in for each other.
  ///
  /// @param least the number of them without which the world cannot continue
  /// @param shortage what a user is told if fewer are left
  public record Group(int least, String shortage) {
    /// Rank 0 of a world without replicas of it.
    static final Group FIRST = new Group(1, "a world cannot continue without rank 0");

    private static final Group OTHERS = new Group(1, "no worker other than rank 0 is left");
    private static final Group TRAINERS = new Group(1, "no trainer is left");

    private static Group of(int rank) {
      return rank == 0 ? FIRST : OTHERS;
    }

    private static Group of(Role role, WorkerOptions options) {
      if (!ServerSettings.isOn(options)) {
        return of(options.rank().orElseThrow());
      }
      return role == Role.TRAINER
          ? TRAINERS
          : new Group(
              ServerSettings.majority(options), "servers need a majority of them to take over");
    }
  }

  /// Creates the command of a worker that inherits all variables of this process.
  public WorkerCommand(int rank, String name, List<String> words, Map<String, String> environment) {
    this(rank, name, words, environment, Set.of(), Group.of(rank));
  }

  /// Returns the commands that start the workers of all ranks, in order, each in a separate JVM.
  ///
  /// @param main a class that runs a worker as [RoleMain] does
  public static List<WorkerCommand> ofAll(Program program, WorkerOptions options, Class<?> main) {
    return IntStream.range(0, options.worldSize())
        .mapToObj(rank -> of(program, ofRank(rank, options), main))
        .toList();
  }

  /// Returns the options of one rank: each rank has a separate metrics port. Only rank 0 has a
  /// gateway, or each parameter server has one with a separate port.
  private static WorkerOptions ofRank(int rank, WorkerOptions options) {
    int port = options.optionalInt(Setting.METRICS).orElse(0); // 0: every worker takes a free port
    WorkerOptions ranked = options.with(Setting.RANK, rank);
    WorkerOptions own = port == 0 ? ranked : ranked.with(Setting.METRICS, port + rank);
    if (rank > Ranks.of(own).last(Role.PARAMETER_SERVER)) {
      return own.without(GatewaySettings.PORT);
    }
    int gateway = own.optionalInt(GatewaySettings.PORT).orElse(0);
    return gateway == 0 ? own : own.with(GatewaySettings.PORT, gateway + rank);
  }

  private static WorkerCommand of(Program program, WorkerOptions options, Class<?> main) {
    int rank = options.rank().orElseThrow();
    Role role = program.binding(rank, options).role();
    String name = program.nameOf(rank, options);
    return new WorkerCommand(
        rank,
        name,
        Jvm.current()
            .command(
                List.of(ProgressEvents.FLAG, Logs.workerFlag(name)),
                main.getName(),
                List.of(role.label(), "-conf", options.toJson().encode())),
        Map.of(),
        variables(program),
        Group.of(role, options));
  }

  /// Returns the environment variables of all settings. Workers must not inherit them: the command
  /// already contains all settings, and a variable would override an option given by the user.
  private static Set<String> variables(Program program) {
    return program.settings().all().stream().map(Setting::variable).collect(Collectors.toSet());
  }
}
