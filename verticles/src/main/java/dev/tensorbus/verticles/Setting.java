// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The settings of a worker: `--world-size` on the command line is `worldSize` in a JSON file.
@SuppressWarnings("ImmutableEnumChecker") // kinds are records, what holds else is a boxed value
public enum Setting {
  /// Which program to run.
  PROGRAM("NAME", new Kind.Word("the name of a program"), "mnist", "program to run"),
  /// How many workers there are.
  WORLD_SIZE(
      "N", new Kind.Whole(2, 1024), 3, "workers in all: a parameter server and N-1 trainers"),
  /// Which of them this one is.
  RANK("R", new Kind.Whole(0, 1023), null, "run only this worker here: 0 serves, 1 to N-1 train"),
  /// Where rank 0 is.
  MASTER_ADDR("HOST", new Kind.Word("a host name or address"), "127.0.0.1", "host of rank 0"),
  /// Where rank 0 listens.
  MASTER_PORT("P", new Kind.Whole(1, 65_535), 29_500, "port of rank 0"),
  /// What to learn from.
  DATA("DIR", new Kind.Folder(), null, "folder of the data set; without it, made-up data"),
  /// How often to go through it.
  EPOCHS("N", new Kind.Whole(1, 1_000_000), 1, "passes over the data"),
  /// Examples in a step.
  BATCH_SIZE("N", new Kind.Whole(1, 65_536), 32, "examples in a step"),
  /// How far a step goes.
  LR("RATE", new Kind.Positive(), 0.03, "learning rate"),
  /// Where randomness starts.
  SEED("S", new Kind.Whole(Long.MIN_VALUE, Long.MAX_VALUE), 1, "equal seeds give equal runs"),
  /// How many cores.
  THREADS("N", new Kind.Whole(1, 1024), null, "cores for one worker's arithmetic; else all"),
  /// How long to wait.
  TIMEOUT("SECONDS", new Kind.Whole(1, 86_400), 60, "longest wait for a worker or an answer"),
  /// How long silence may last.
  HEARTBEAT_TIMEOUT(
      "SECONDS", new Kind.Whole(2, 86_400), 5, "silence after which a worker counts as dead");

  private final String label;
  private final Kind kind;
  private final @Nullable Object standard;
  private final String help;

  Setting(String label, Kind kind, @Nullable Object standard, String help) {
    this.label = label;
    this.kind = kind;
    this.standard = standard;
    this.help = help;
  }

  /// The setting of this JSON key.
  static Optional<Setting> of(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key().equals(key)).findFirst();
  }

  /// All keys, for an error.
  static String keys() {
    return Arrays.stream(values()).map(Setting::key).collect(Collectors.joining(", "));
  }

  /// Its name in a JSON file.
  public String key() {
    String[] words = name().toLowerCase(Locale.ROOT).split("_", 2);
    return words.length == 1
        ? words[0]
        : words[0] + words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
  }

  /// Its name on the command line.
  public String option() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// What stands for its value in help.
  public String label() {
    return label;
  }

  /// What it does and what holds without it, in help.
  public String help() {
    return standard == null ? help : help + " (" + standard + ")";
  }

  /// What holds if it is not given; null if nothing does.
  @Nullable Object standard() {
    return standard;
  }

  /// The JSON value of a word on the command line.
  ///
  /// @throws UsageException if it stands for none
  public Object read(String word) {
    Object value = kind.read(word);
    if (value == null) {
      throw misfit(option(), word);
    }
    return value;
  }

  /// @throws UsageException if the value will not do; `name` is what the user calls this setting
  void check(String name, @Nullable Object value) {
    if (value == null || !kind.accepts(value)) {
      throw misfit(name, value);
    }
  }

  private UsageException misfit(String name, @Nullable Object value) {
    return new UsageException(name + " is " + value + "; expected " + kind.expected());
  }
}
