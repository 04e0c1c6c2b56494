// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;

/// `tensorbus train rnn`.
public final class RnnProgram {
  static final Setting DATA =
      new Setting(
          "data",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "text to learn from; without it, a text that it makes up");

  static final Setting TEST =
      new Setting(
          "test",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "text to test on; without it, the last tenth of the other");

  static final Setting EMBEDDING =
      size("embedding", "size of a word's embedding (2; with --data 200)");
  static final Setting HIDDEN = size("hidden", "size of the LSTM's state (3; with --data 200)");
  static final Setting LAYERS = size("layers", "layers of the LSTM (4; with --data 2)");
  static final Setting BPTT = size("bptt", "words that a step reads in a row (5; with --data 35)");

  static final Setting DROPOUT =
      new Setting(
          "dropout",
          "P",
          new SettingType.Share(),
          null,
          "share of values left out in training (0.5; with --data 0.2)");

  static final Setting CLIP =
      new Setting(
          "clip",
          "NORM",
          new SettingType.Positive(),
          null,
          "greatest norm of all gradients (none; with --data 0.25)");

  static final Setting DECAY =
      new Setting(
          "lr-decay",
          "F",
          new SettingType.Positive(),
          null,
          "factor of the learning rate after an epoch (1; with --data 0.5)");

  static final Setting SAMPLE =
      new Setting(
          "sample", "N", new SettingType.Whole(0, 100_000), 40, "words to write at the end");

  /// The settings of the program.
  public static final ProgramSettings SETTINGS =
      ProgramSettings.with(
          new Setting(
              "world-size",
              "N",
              new SettingType.Whole(2, 2),
              2,
              "workers in all: a parameter server and a trainer"),
          DATA,
          TEST,
          Setting.SAVE.withHelp("keep the run in this folder after each epoch"),
          Setting.RESUME,
          new Setting(
              "epochs",
              "N",
              new SettingType.Whole(1, 1_000_000),
              null,
              "passes over the text (10; with --data 4)"),
          new Setting(
              "batch-size",
              "N",
              new SettingType.Whole(1, 65_536),
              null,
              "places of the text read side by side (3; with --data 20)"),
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
              "learning rate (0.05; with --data 20)"),
          DECAY,
          CLIP,
          SAMPLE);

  /// A language model in three parts on two workers.
  public static final Program PROGRAM =
      new Program(
          "rnn",
          "a language model whose layers live on two workers",
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
