// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;

/// The settings of `tensorbus train rnn`.
public final class RnnProgram {
  static final Setting DATA =
      new Setting(
          "data",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "training text (default: a generated text)");

  static final Setting TEST =
      new Setting(
          "test",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "test text (default: the last tenth of the training text)");

  static final Setting EMBEDDING =
      size("embedding", "size of a word's embedding (default: 2; 200 with --data)");
  static final Setting HIDDEN =
      size("hidden", "size of the LSTM's state (default: 3; 200 with --data)");
  static final Setting LAYERS = size("layers", "layers of the LSTM (default: 4; 2 with --data)");
  static final Setting BPTT =
      size("bptt", "consecutive words per step (default: 5; 35 with --data)");

  static final Setting DROPOUT =
      new Setting(
          "dropout",
          "P",
          new SettingType.Share(),
          null,
          "probability of dropout (default: 0.5; 0.2 with --data)");

  static final Setting CLIP =
      new Setting(
          "clip",
          "NORM",
          new SettingType.Positive(),
          null,
          "maximum norm of all gradients together (default: none; 0.25 with --data)");

  static final Setting DECAY =
      new Setting(
          "lr-decay",
          "F",
          new SettingType.Positive(),
          null,
          "factor of the learning rate after each epoch (default: 1; 0.5 with --data)");

  static final Setting SAMPLE =
      new Setting(
          "sample",
          "N",
          new SettingType.Whole(0, 100_000),
          40,
          "number of words to generate at the end");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.with(
          new Setting(
              "world-size",
              "N",
              new SettingType.Whole(2, 2),
              2,
              "number of workers: a parameter server and a trainer"),
          DATA,
          TEST,
          Setting.SAVE.withHelp("save the run in this folder after each epoch"),
          Setting.RESUME,
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
          BPTT,
          EMBEDDING,
          HIDDEN,
          LAYERS,
          DROPOUT,
          new Setting(
              "lr",
              "RATE",
              new SettingType.Positive(),
              null,
              "learning rate (default: 0.05; 20 with --data)"),
          DECAY,
          CLIP,
          SAMPLE);

  /// The RNN program: a language model in three parts on two workers.
  public static final Program PROGRAM =
      new Program(
          "rnn",
          "a language model whose layers are on two workers",
          SETTINGS,
          Corpus::of,
          new RoleBinding(
              Role.PARAMETER_SERVER, (options, progress) -> new RnnServerVerticle(options)),
          new RoleBinding(Role.TRAINER, RnnTrainerVerticle::new));

  private RnnProgram() {}

  private static Setting size(String name, String help) {
    return new Setting(name, "N", new SettingType.Whole(1, 65_536), null, help);
  }
}
