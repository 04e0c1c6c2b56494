// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.CheckpointSettings;
import dev.tensorbus.verticles.DeviceSettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Ranks;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;

/// The settings of `tensorbus train batch`.
public final class BatchProgram {
  /// The maximum number of batches of a world with parameter servers, whose trainers hold the order
  /// of all batches in memory.
  private static final int MAX_BATCHES = 10_000_000;

  /// The number of batches of each trainer.
  public static final Setting ROUNDS =
      new Setting(
          "rounds",
          "N",
          new SettingType.Whole(1, 1_000_000_000),
          4,
          "number of batches per trainer");

  /// The number of inputs of the linear model.
  public static final Setting INPUTS =
      new Setting(
          "inputs", "N", new SettingType.Whole(1, 65_536), 100, "inputs of the linear model");

  /// The number of outputs of the linear model.
  public static final Setting OUTPUTS =
      new Setting(
          "outputs", "N", new SettingType.Whole(1, 65_536), 30, "outputs of the linear model");

  static final Setting MOMENTUM =
      new Setting("momentum", "M", new SettingType.Share(), 0.9, "momentum of SGD");

  static final Setting IMAGES =
      new Setting(
          "images",
          "",
          new SettingType.Flag(),
          false,
          "train a ConvNet on generated digits instead of a linear model on noise");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.withServers(
          ServerSettings.WORLD_SIZE,
          ROUNDS,
          Setting.SAVE.withHelp("save the model in this folder at the end of the training"),
          CheckpointSettings.RESUME.withHelp(
              "start with the model of a saved run; without DIR, continue the run of --checkpoint"),
          Setting.BATCH_SIZE.withStandard(20),
          INPUTS,
          OUTPUTS,
          IMAGES,
          Setting.LR.withStandard(0.001),
          MOMENTUM,
          DeviceSettings.DEVICE);

  /// The batch program: a model that is updated once per round with the gradients of all trainers.
  public static final Program PROGRAM =
      new Program(
          "batch",
          "one model with the gradients of all trainers, once per round",
          SETTINGS,
          BatchProgram::check,
          new RoleBinding(Role.PARAMETER_SERVER, BatchServerVerticle::new),
          new RoleBinding(Role.TRAINER, BatchTrainerVerticle::new),
          new RoleBinding(Role.TRAINER, BatchStoreTrainerVerticle::new));

  private BatchProgram() {}

  private static void check(WorkerOptions options) {
    ServerSettings.check(options);
    int trainers = Ranks.of(options).names(Role.TRAINER).size();
    int rounds = options.whole(ROUNDS);
    if (ServerSettings.isOn(options) && rounds > MAX_BATCHES / trainers) {
      throw new UsageException(
          "--rounds is %d with --servers and %d trainers; expected at most %d"
              .formatted(rounds, trainers, MAX_BATCHES / trainers));
    }
    DeviceSettings.check(options, Role.TRAINER);
  }

  /// Returns the optimizer of the model.
  static Sgd optimizer(WorkerOptions options) {
    return new Sgd(options.lr()).withMomentum(options.number(MOMENTUM));
  }
}
