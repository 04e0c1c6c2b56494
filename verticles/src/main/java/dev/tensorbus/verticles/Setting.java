// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something about a worker that users may set: `--world-size` on the command line is `worldSize`
/// in a JSON file and `TENSORBUS_WORLD_SIZE` in the environment.
///
/// @param name words with `-` between them
/// @param label what stands for its value in help
/// @param kind what its value may be
/// @param standard what holds if it is not given; null if nothing does
/// @param help what it does
public record Setting(
    String name, String label, SettingType kind, @Nullable Object standard, String help) {
  /// Which program to run.
  public static final Setting PROGRAM =
      new Setting(
          "program", "NAME", new SettingType.Word("the name of a program"), "mnist", "program");

  /// How many workers there are.
  public static final Setting WORLD_SIZE =
      new Setting("world-size", "N", new SettingType.Whole(2, 1024), 3, "workers in all");

  /// Which of them this one is.
  public static final Setting RANK =
      new Setting(
          "rank",
          "R",
          new SettingType.Whole(0, 1023),
          null,
          "run only this worker here, from 0 to N-1");

  /// Where rank 0 is.
  public static final Setting MASTER_ADDR =
      new Setting(
          "master-addr",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "host of rank 0");

  /// Where rank 0 listens.
  public static final Setting MASTER_PORT =
      new Setting("master-port", "P", new SettingType.Whole(1, 65_535), 29_500, "port of rank 0");

  /// Where it listens.
  public static final Setting PORTS =
      new Setting(
          "ports",
          "FROM-TO",
          new SettingType.Ports(),
          null,
          "ports to listen on, the first for rank 0; else the system chooses all but rank 0's");

  /// Where others connect to.
  public static final Setting ADVERTISED_ADDR =
      new Setting(
          "advertised-addr",
          "HOST",
          new SettingType.Word("a host name or address"),
          null,
          "host that others reach this worker at, behind address translation");

  /// The data to learn from.
  public static final Setting DATA =
      new Setting(
          "data",
          "DIR",
          new SettingType.Folder(),
          null,
          "folder of the data set; without it, made-up data");

  /// Where to keep the run.
  public static final Setting SAVE =
      new Setting(
          "save",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "keep the run in this folder as a checkpoint");

  /// Where a run was kept.
  public static final Setting RESUME =
      new Setting(
          "resume", "DIR", new SettingType.Folder(), null, "go on with a run that was saved");

  /// Where TensorBoard finds the curves.
  public static final Setting TENSORBOARD =
      new Setting(
          "tensorboard",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "write curves to an event file in this folder, for TensorBoard");

  /// Where the curves are as text.
  public static final Setting LOG =
      new Setting(
          "log",
          "FILE",
          new SettingType.Word("the name of a file"),
          null,
          "append curves to this file as JSON lines");

  /// Where a profile goes.
  public static final Setting PROFILE =
      new Setting(
          "profile",
          "FILE",
          new SettingType.Word("the name of a file"),
          null,
          "write a profile of ten steps, of all workers, to this file, a Chrome trace");

  /// How often to go through it.
  public static final Setting EPOCHS =
      new Setting("epochs", "N", new SettingType.Whole(1, 1_000_000), 1, "passes over the data");

  /// Examples in a step.
  public static final Setting BATCH_SIZE =
      new Setting("batch-size", "N", new SettingType.Whole(1, 65_536), 32, "examples in a step");

  /// How far a step goes.
  public static final Setting LR =
      new Setting("lr", "RATE", new SettingType.Positive(), 0.03, "learning rate");

  /// Where randomness starts.
  public static final Setting SEED =
      new Setting(
          "seed",
          "S",
          new SettingType.Whole(Long.MIN_VALUE, Long.MAX_VALUE),
          1,
          "equal seeds give equal runs");

  /// How many cores.
  public static final Setting THREADS =
      new Setting(
          "threads",
          "N",
          new SettingType.Whole(1, 1024),
          null,
          "cores for one worker's arithmetic; else all");

  /// The engine of forward passes.
  public static final Setting FORWARD =
      new Setting(
          "forward",
          "ENGINE",
          new SettingType.Choice("java", "onnx"),
          "java",
          "who computes forward passes, java or onnx: ONNX Runtime");

  /// Whether on GPUs.
  public static final Setting NUM_GPUS =
      new Setting(
          "num-gpus",
          "G",
          new SettingType.Whole(0, 2),
          0,
          "GPUs for forward passes by ONNX Runtime; of two, the first has the convolutions");

  /// Whether a GPU may be missing.
  public static final Setting CPU_FALLBACK =
      new Setting(
          "cpu-fallback",
          "",
          new SettingType.Flag(),
          false,
          "with --num-gpus: where there is no such GPU, compute on the CPU");

  /// How long to wait.
  public static final Setting TIMEOUT =
      new Setting(
          "timeout",
          "SECONDS",
          new SettingType.Whole(1, 86_400),
          null,
          "longest wait for answers (default: 60) and for workers to join (default: 600)");

  /// How long silence may last.
  public static final Setting HEARTBEAT_TIMEOUT =
      new Setting(
          "heartbeat-timeout",
          "SECONDS",
          new SettingType.Whole(2, 86_400),
          30,
          "silence after which a worker counts as dead");

  /// What becomes of a world that has lost a worker.
  public static final Setting ON_LOSS =
      new Setting(
          "on-loss",
          "ACTION",
          new SettingType.Choice("stop", "continue"),
          "continue",
          "where all run here and a worker is lost: stop, or continue without it and its data while"
              + " rank 0 and another are left");

  /// How threads wait.
  public static final Setting IDLE_STRATEGY =
      new Setting(
          "idle-strategy",
          "STRATEGY",
          new SettingType.Choice("adaptive", "park"),
          "adaptive",
          "how threads wait, adaptive: spin where that pays, or park: never spin");

  /// Whether there are metrics, and where.
  public static final Setting METRICS =
      new Setting(
          "metrics",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "port for Prometheus; where all run here, of rank 0, and the next for the others; without"
              + " it, none");

  /// At which address.
  public static final Setting METRICS_HOST =
      new Setting(
          "metrics-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address to listen at for Prometheus");

  /// Whether there is a live page, and where.
  public static final Setting PAGE =
      new Setting(
          "page",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "port of a page that shows the world in a browser, at rank 0; it stays at the end, until"
              + " Ctrl-C");

  /// At which address.
  public static final Setting PAGE_HOST =
      new Setting(
          "page-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address to listen at for the page; any other makes a token for its URL");

  /// Where spans go.
  public static final Setting OTLP =
      new Setting(
          "otlp",
          "URL",
          new SettingType.HttpUrl(),
          null,
          "send traces to this OpenTelemetry collector, such as http://127.0.0.1:4318; without it,"
              + " none");

  /// How many traces are kept.
  public static final Setting TRACE_RATIO =
      new Setting(
          "trace-ratio",
          "R",
          new SettingType.Ratio(),
          1.0,
          "with --otlp: the part of traces to keep");

  /// How much is logged.
  public static final Setting LOG_LEVEL =
      new Setting(
          "log-level",
          "LEVEL",
          new SettingType.Choice("error", "warning", "info", "debug", "trace"),
          "info",
          "least level of the lines on standard error: error, warning, info, debug (with stack"
              + " traces) or trace");

  /// How it is logged.
  public static final Setting LOG_FORMAT =
      new Setting(
          "log-format",
          "FORMAT",
          new SettingType.Choice("text", "json"),
          "text",
          "form of the lines on standard error, text or json: an object each");

  /// The same with something else that holds if it is not given.
  public Setting withStandard(Object value) {
    return new Setting(name, label, kind, value, help);
  }

  /// The same whole number from another least one on.
  public Setting from(long min) {
    return new Setting(name, label, ((SettingType.Whole) kind).from(min), standard, help);
  }

  /// The same with another explanation.
  public Setting withHelp(String text) {
    return new Setting(name, label, kind, standard, text);
  }

  /// Its name in a JSON file.
  public String key() {
    String[] words = name.split("-", -1);
    StringBuilder key = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      key.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return key.toString();
  }

  /// Its name on the command line.
  public String option() {
    return "--" + name;
  }

  /// Its name in the environment: `--world-size` is `TENSORBUS_WORLD_SIZE` there.
  public String variable() {
    return "TENSORBUS_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// Its effect, and the value that holds without it.
  public String description() {
    boolean isSaid = standard == null || standard.equals(false);
    return isSaid ? help : help + " (" + standard + ")";
  }

  /// Whether it is on or off and takes no value on the command line.
  public boolean isFlag() {
    return kind instanceof SettingType.Flag;
  }

  /// The JSON value of a word on the command line.
  ///
  /// @throws UsageException if it stands for none
  public Object read(String word) {
    return read(option(), word);
  }

  /// The JSON value of a word.
  ///
  /// @param called what the user calls this setting
  /// @throws UsageException if it stands for none
  Object read(String called, String word) {
    Object value = kind.read(word);
    if (value == null) {
      throw misfit(called, word);
    }
    return value;
  }

  /// Refuses a value that will not do.
  ///
  /// @param called what the user calls this setting
  /// @throws UsageException if the value will not do
  public void check(String called, @Nullable Object value) {
    if (value == null || !kind.accepts(value)) {
      throw misfit(called, value);
    }
  }

  private UsageException misfit(String called, @Nullable Object value) {
    return new UsageException(called + " is " + value + "; expected " + kind.expected());
  }
}
