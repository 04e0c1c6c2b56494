// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;

/// `tensorbus train batch`.
public final class BatchProgram {
  /// How many batches each trainer learns from.
  public static final Setting ROUNDS =
      new Setting(
          "rounds", "N", new SettingType.Whole(1, 1_000_000_000), 4, "batches of each trainer");

  /// The size of the model's inputs.
  public static final Setting INPUTS =
      new Setting(
          "inputs", "N", new SettingType.Whole(1, 65_536), 100, "inputs of the linear model");

  /// The size of the model's outputs.
  public static final Setting OUTPUTS =
      new Setting(
          "outputs", "N", new SettingType.Whole(1, 65_536), 30, "outputs of the linear model");

  static final Setting MOMENTUM =
      new Setting("momentum", "M", new SettingType.Share(), 0.9, "momentum of a step");

  static final Setting IMAGES =
      new Setting(
          "images",
          "",
          new SettingType.Flag(),
          false,
          "a ConvNet on drawn digits in place of a linear model on noise");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.with(
          Setting.WORLD_SIZE.withHelp("workers in all: a parameter server and N-1 trainers"),
          ROUNDS,
          Setting.SAVE.withHelp("keep the model in this folder when the training is over"),
          Setting.RESUME.withHelp("begin with the model of a run that was saved"),
          Setting.BATCH_SIZE.withStandard(20),
          INPUTS,
          OUTPUTS,
          IMAGES,
          Setting.LR.withStandard(0.001),
          MOMENTUM);

  /// A model that is updated once a round, by the gradients of all trainers.
  public static final Program PROGRAM =
      new Program(
          "batch",
          "one model by the gradients of all trainers, once a round",
          SETTINGS,
          options -> {},
          new RoleBinding(Role.PARAMETER_SERVER, BatchServerVerticle::new),
          new RoleBinding(Role.TRAINER, BatchTrainerVerticle::new));

  private BatchProgram() {}
}
