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

/// The settings of `tensorbus train cartpole`.
public final class CartPoleProgram {
  static final Setting GAMMA =
      new Setting(
          "gamma", "G", new SettingType.Share(), 0.99, "discount factor of rewards, per step");

  static final Setting EPISODES =
      new Setting(
          "episodes",
          "N",
          new SettingType.Whole(1, 1_000_000),
          null,
          "maximum number of episodes (default: until solved)");

  static final Setting BATCH =
      new Setting(
          "batch",
          "",
          new SettingType.Flag(),
          false,
          "select the actions of all observers with one forward pass");

  static final Setting CURVE =
      new Setting(
          "curve",
          "FILE",
          new SettingType.Word("the name of a file"),
          "cartpole.png",
          "PNG file to draw the rewards to");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.with(
          Setting.WORLD_SIZE
              .withStandard(2)
              .withHelp("number of workers: an agent and N-1 observers"),
          BATCH,
          Setting.SAVE.withHelp("save the run in this folder after every ten episodes"),
          Setting.RESUME,
          EPISODES,
          Setting.LR.withStandard(0.01),
          GAMMA,
          CURVE);

  /// The CartPole program: a policy learns to balance a pole from the observers' episodes.
  public static final Program PROGRAM =
      new Program(
          "cartpole",
          "a policy that balances a pole, with episodes from observers",
          SETTINGS,
          CartPoleProgram::requireFolder,
          new RoleBinding(Role.AGENT, AgentVerticle::new),
          // Observers only serve the agent's calls.
          new RoleBinding(
              Role.OBSERVER, (options, progress) -> new RpcWorker(Role.OBSERVER, options)));

  private CartPoleProgram() {}

  /// Checks before the training, not after it, that the folder of the curve exists.
  private static void requireFolder(WorkerOptions options) {
    Path file = options.path(CURVE).orElseThrow().toAbsolutePath();
    if (!Files.isDirectory(Objects.requireNonNull(file.getParent()))) {
      throw new UsageException(
          "--curve is %s; expected a file in an existing folder"
              .formatted(options.path(CURVE).orElseThrow()));
    }
  }
}
