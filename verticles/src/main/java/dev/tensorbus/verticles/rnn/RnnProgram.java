// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.verticles.CheckpointSettings;
import dev.tensorbus.verticles.DeviceSettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;

/// The settings of `tensorbus train rnn`.
public final class RnnProgram {
  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.withServers(
          new Setting(
              "world-size",
              "N",
              new SettingType.Whole(2, 1024),
              2,
              "number of workers: a parameter server and a trainer; with --servers, all servers,"
                  + " the witness and two trainers are the default"),
          RnnSettings.DATA,
          RnnSettings.TEST,
          Setting.SAVE.withHelp("save the run in this folder after each epoch"),
          CheckpointSettings.RESUME,
          new Setting(
              "epochs",
              "N",
              new SettingType.Whole(1, 1_000_000),
              null,
              "passes over the text (default: 10; 4 with --data)"),
          new Setting(
              "batch-size",
              "N",
              new SettingType.Whole(1, 65_536),
              null,
              "text segments read in parallel (default: 3; 20 with --data)"),
          RnnSettings.BPTT,
          RnnSettings.EMBEDDING,
          RnnSettings.HIDDEN,
          RnnSettings.LAYERS,
          RnnSettings.DROPOUT,
          new Setting(
              "lr",
              "RATE",
              new SettingType.Positive(),
              null,
              "learning rate (default: 0.05; 20 with --data)"),
          RnnSettings.DECAY,
          RnnSettings.CLIP,
          DeviceSettings.DEVICE.withHelp("with --servers: " + DeviceSettings.DEVICE.help()),
          RnnSettings.SAMPLE);

  /// The RNN program: a language model in three parts on two workers.
  public static final Program PROGRAM =
      new Program(
          "rnn",
          "a language model whose layers are on two workers",
          SETTINGS,
          RnnProgram::check,
          new RoleBinding(
              Role.PARAMETER_SERVER, (options, progress) -> new RnnServerVerticle(options)),
          new RoleBinding(Role.TRAINER, RnnTrainerVerticle::new),
          new RoleBinding(Role.TRAINER, RnnStoreTrainerVerticle::new));

  private RnnProgram() {}

  private static void check(WorkerOptions options) {
    ServerSettings.check(options);
    if (!ServerSettings.isOn(options) && options.worldSize() > 2) {
      throw new UsageException(
          "--world-size is %d; expected 2, a parameter server and a trainer: for more trainers, set"
                  .formatted(options.worldSize())
              + " --servers too");
    }
    if (!ServerSettings.isOn(options) && options.isGiven(DeviceSettings.DEVICE)) {
      throw new UsageException(
          "--device is given without --servers, where the layers are on two workers, and a graph"
              + " cannot span workers; set --servers, too, or leave --device out");
    }
    DeviceSettings.check(options, Role.TRAINER);
    Corpus _ = Corpus.of(options);
  }
}
