// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// `tensorbus train cartpole`.
public final class CartPoleProgram {
  static final Setting GAMMA =
      new Setting(
          "gamma", "G", new SettingType.Share(), 0.99, "what a reward one step later counts");

  static final Setting EPISODES =
      new Setting(
          "episodes",
          "N",
          new SettingType.Whole(1, 1_000_000),
          null,
          "end after so many, solved or not");

  static final Setting BATCH =
      new Setting(
          "batch",
          "",
          new SettingType.Flag(),
          false,
          "answer all observers of a step with one forward");

  static final Setting CURVE =
      new Setting(
          "curve",
          "FILE",
          new SettingType.Word("the name of a file"),
          "cartpole.png",
          "where to draw the rewards");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.with(
          Setting.WORLD_SIZE.withStandard(2).withHelp("workers in all: an agent and N-1 observers"),
          BATCH,
          Setting.SAVE.withHelp("keep the run in this folder after every ten episodes"),
          Setting.RESUME,
          EPISODES,
          Setting.LR.withStandard(0.01),
          GAMMA,
          CURVE);

  /// A policy that learns to balance a pole, from what observers see.
  public static final Program PROGRAM =
      new Program(
          "cartpole",
          "a policy that balances a pole, from what observers see",
          SETTINGS,
          CartPoleProgram::requireFolder,
          new RoleBinding(Role.AGENT, AgentVerticle::new),
          // An observer waits for what the agent asks.
          new RoleBinding(
              Role.OBSERVER, (options, progress) -> new RpcWorker(Role.OBSERVER, options)));

  private CartPoleProgram() {}

  /// It would be a pity to learn for a minute and then have nowhere to draw.
  private static void requireFolder(WorkerOptions options) {
    Path file = options.path(CURVE).orElseThrow().toAbsolutePath();
    if (!Files.isDirectory(Objects.requireNonNull(file.getParent()))) {
      throw new UsageException(
          "--curve is %s; expected a file in a folder that exists"
              .formatted(options.path(CURVE).orElseThrow()));
    }
  }
}
