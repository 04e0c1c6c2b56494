// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;

/// The settings that only [RnnProgram] has.
final class RnnSettings {
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

  private RnnSettings() {}

  private static Setting size(String name, String help) {
    return new Setting(name, "N", new SettingType.Whole(1, 65_536), null, help);
  }
}
