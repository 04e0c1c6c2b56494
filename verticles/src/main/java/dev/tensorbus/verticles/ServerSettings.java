// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.server.consistency.Consistency;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The settings of a world with parameter servers, whose trainers have a model each and train it
/// from a [store][dev.tensorbus.optim.server.ParameterStore].
public final class ServerSettings {
  private static final int USUAL_TRAINERS = 2;

  /// The number of workers, with or without parameter servers.
  public static final Setting WORLD_SIZE =
      Setting.WORLD_SIZE.withHelp(
          "number of workers: a parameter server and N-1 trainers; with --servers, all servers, the"
              + " witness and two trainers are the default");

  /// The number of parameter servers. By default, there are none, and the program runs as in its
  /// tutorial.
  public static final Setting SERVERS =
      new Setting(
          "servers",
          "N",
          new SettingType.Whole(1, 64),
          null,
          "keep the parameters on N servers, which other workers train from copies (default: the"
              + " tutorial's single server)");

  /// Whether a worker without parameters helps the servers to agree on who is alive.
  public static final Setting WITNESS =
      new Setting(
          "witness",
          "",
          new SettingType.Flag(),
          false,
          "with --servers: one more worker, so that one of two servers can take over from the"
              + " other");

  /// The number of backups.
  public static final Setting REPLICAS =
      new Setting(
          "replicas",
          "K",
          new SettingType.Whole(0, 63),
          null,
          "with --servers: backups of each parameter (default: 1 with three servers, or two and a"
              + " witness, or more; else 0)");

  /// How the trainers' pushes become steps.
  public static final Setting CONSISTENCY =
      new Setting(
          "consistency",
          "C",
          new SettingType.Parsed(Consistency.TEXTS, Consistency::parse),
          null,
          "with --servers: how trainers wait for each other: bsp, bsp:B, quorum:K:MSms, ssp:T or"
              + " async (default: bsp)");

  /// How often a failed worker is started again.
  public static final Setting RESTARTS =
      new Setting(
          "restarts",
          "N",
          new SettingType.Whole(0, 1_000_000),
          null,
          "with --servers: maximum restarts of each failed worker of a local world (default: 0)");

  /// The role of the only worker to run.
  public static final Setting ROLE =
      new Setting(
          "role",
          "ROLE",
          new SettingType.Choice(Role.WITNESS.label(), Role.TRAINER.label()),
          null,
          "with --servers: run only one worker, a witness or a trainer, with the next free rank of"
              + " its role");

  /// All that only such worlds have.
  public static final List<Setting> ALL =
      List.of(
          SERVERS,
          WITNESS,
          REPLICAS,
          CONSISTENCY,
          CheckpointSettings.CHECKPOINT,
          CheckpointSettings.CHECKPOINT_EVERY,
          RESTARTS,
          ROLE);

  private ServerSettings() {}

  /// Returns whether the world has parameter servers.
  public static boolean isOn(WorkerOptions options) {
    return options.optionalInt(SERVERS).isPresent();
  }

  /// Returns the size of a world with two trainers.
  static int usualWorldSize(int servers, boolean hasWitness) {
    return servers + (hasWitness ? 1 : 0) + USUAL_TRAINERS;
  }

  /// Checks the settings of a program that may have parameter servers.
  ///
  /// @throws UsageException if they contradict each other
  public static void check(WorkerOptions options) {
    CheckpointSettings.check(options);
    if (!isOn(options)) {
      Stream.concat(
              ALL.stream(), Stream.of(GatewaySettings.TRAINERS, GatewaySettings.SKIP_NONFINITE))
          .forEach(setting -> requireServers(setting, options));
      return;
    }
    Ranks ranks = Ranks.of(options);
    requireReplicas(ranks.servers(), options);
    if (ranks.witnesses() > 0 && ranks.servers() == 1) {
      throw new UsageException(
          "--witness is given with --servers 1; a witness helps two servers or more to agree: add"
              + " servers, or leave --witness out");
    }
    requireTrainers(ranks.names(Role.TRAINER).size(), ranks, options);
  }

  private static void requireServers(Setting setting, WorkerOptions options) {
    if (options.isGiven(setting)) {
      throw new UsageException(
          "%1$s is given without %2$s; set %2$s to the number of parameter servers, or leave %1$s"
                  .formatted(setting.option(), SERVERS.option())
              + " out");
    }
  }

  private static void requireReplicas(int servers, WorkerOptions options) {
    int replicas = replicas(options);
    if (replicas >= servers) {
      throw new UsageException(
          "--replicas is %d with --servers %d; expected 0 to %d, since each replica is on a server"
                  .formatted(replicas, servers, servers - 1)
              + " of its own: add servers, or give fewer replicas");
    }
  }

  private static void requireTrainers(int trainers, Ranks ranks, WorkerOptions options) {
    int others = ranks.servers() + ranks.witnesses();
    if (trainers < 1) {
      throw new UsageException(
          "--world-size is %d with %d servers%s; expected at least %d, for one trainer or more"
              .formatted(
                  options.worldSize(),
                  ranks.servers(),
                  ranks.witnesses() == 0 ? "" : " and a witness",
                  others + 1));
    }
    Consistency consistency = Consistency.parse(consistency(options));
    if (trainers < consistency.leastTrainers()) {
      throw new UsageException(
          "--consistency is %s with %d trainers; expected at least %d: set --world-size to %d"
              .formatted(
                  consistency,
                  trainers,
                  consistency.leastTrainers(),
                  others + consistency.leastTrainers()));
    }
  }

  /// Returns the number of backups: by default one if the others can take over from a server.
  private static int replicas(WorkerOptions options) {
    Ranks ranks = Ranks.of(options);
    return options.optionalInt(REPLICAS).orElse(ranks.servers() + ranks.witnesses() < 3 ? 0 : 1);
  }

  private static String consistency(WorkerOptions options) {
    return options.isGiven(CONSISTENCY) ? options.word(CONSISTENCY) : "bsp";
  }

  /// Returns the number of servers and witnesses that must be alive: a majority.
  public static int majority(WorkerOptions options) {
    Ranks ranks = Ranks.of(options);
    return (ranks.servers() + ranks.witnesses()) / 2 + 1;
  }

  /// Returns the role of the only worker to run.
  public static Optional<Role> role(WorkerOptions options) {
    return Optional.ofNullable(options.word(ROLE)).flatMap(Role::of);
  }

  /// Returns how often a failed worker is started again.
  public static int restarts(WorkerOptions options) {
    return options.optionalInt(RESTARTS).orElse(0);
  }

  /// Returns the options of the servers and witnesses.
  static ServerOptions server(WorkerOptions options) {
    Ranks ranks = Ranks.of(options);
    return new ServerOptions(
        ranks.names(Role.PARAMETER_SERVER), ranks.names(Role.WITNESS), replicas(options));
  }

  /// Returns the options with which trainers join the store. A trainer waits for servers as long as
  /// a worker waits for the world, because a server that is started again on another machine may
  /// need minutes.
  public static StoreOptions store(WorkerOptions options) {
    Ranks ranks = Ranks.of(options);
    return StoreOptions.of(ranks.names(Role.PARAMETER_SERVER).toArray(new String[0]))
        .withTrainers(ranks.names(Role.TRAINER).size())
        .withConsistency(consistency(options))
        .withPatience(options.rendezvousTimeout());
  }
}
