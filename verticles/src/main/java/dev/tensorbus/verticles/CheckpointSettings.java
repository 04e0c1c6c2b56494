// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/// The settings of the checkpoints of a world with parameter servers.
public final class CheckpointSettings {
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(30);

  /// The folder of the run's checkpoints. By default, there are none.
  public static final Setting CHECKPOINT =
      new Setting(
          "checkpoint",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "with --servers: keep the newest checkpoints of the run in this folder, which all trainers"
              + " must reach");

  /// How often one is written within an epoch.
  public static final Setting CHECKPOINT_EVERY =
      new Setting(
          "checkpoint-every",
          "TIME",
          new SettingType.Parsed(
              "a time above 0 such as 30s, 5m or 1h30m", CheckpointSettings::parse),
          null,
          "with --checkpoint: time between checkpoints; there is one after each epoch, too (default:"
              + " 30s)");

  /// The saved run to resume or, without a folder, the run of [#CHECKPOINT].
  public static final Setting RESUME =
      new Setting(
          Setting.RESUME.name(),
          Setting.RESUME.label(),
          new SettingType.OptionalFolder(),
          null,
          Setting.RESUME.help() + "; without DIR, continue the run of --checkpoint");

  private CheckpointSettings() {}

  private static Duration parse(String time) {
    try {
      Duration parsed = Duration.parse("PT" + time.toUpperCase(Locale.ROOT));
      if (parsed.isPositive()) {
        return parsed;
      }
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(time, e);
    }
    throw new IllegalArgumentException(time);
  }

  /// Checks the settings of a program that may have parameter servers.
  ///
  /// @throws UsageException if they contradict each other
  static void check(WorkerOptions options) {
    if (options.isGiven(CHECKPOINT)) {
      return;
    }
    if (options.isGiven(CHECKPOINT_EVERY)) {
      throw new UsageException(
          "--checkpoint-every is given without --checkpoint; set --checkpoint to a folder, or leave"
              + " --checkpoint-every out");
    }
    if ("".equals(options.word(RESUME))) {
      throw new UsageException(
          "--resume is given without a folder and without --checkpoint; set --checkpoint to the"
              + " folder of the run, with --servers, or give --resume the folder of a saved one");
    }
  }

  /// Returns the folder of the run's checkpoints, if it has any.
  static Optional<Path> folder(WorkerOptions options) {
    return options.path(CHECKPOINT);
  }

  /// Returns the time between two checkpoints.
  static Duration interval(WorkerOptions options) {
    return options.isGiven(CHECKPOINT_EVERY)
        ? parse(options.word(CHECKPOINT_EVERY))
        : USUAL_INTERVAL;
  }

  /// Returns whether the run continues from its newest checkpoint.
  static boolean isResumed(WorkerOptions options) {
    Optional<Path> folder = folder(options);
    Optional<Path> saved = options.path(RESUME);
    return folder.isPresent()
        && saved.isPresent()
        && (saved.get().toString().isEmpty()
            || absolute(saved.get()).equals(absolute(folder.get())));
  }

  /// Returns the folder of another run with whose weights this one starts, if any.
  static Optional<Path> weights(WorkerOptions options) {
    return isResumed(options) ? Optional.empty() : options.path(RESUME);
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }
}
