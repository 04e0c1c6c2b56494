// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.PortRange;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A setting of a worker: `--world-size` on the command line is `worldSize` in a JSON file and
/// `TENSORBUS_WORLD_SIZE` in the environment.
///
/// @param name lower-case words joined by `-`
/// @param label the placeholder of its value in the help text
/// @param kind the values it accepts
/// @param standard the default; null if there is none
/// @param help its description in the help text
public record Setting(
    String name, String label, SettingType kind, @Nullable Object standard, String help) {
  /// The program to run.
  public static final Setting PROGRAM =
      new Setting(
          "program", "NAME", new SettingType.Word("the name of a program"), "mnist", "program");

  /// The number of workers.
  public static final Setting WORLD_SIZE =
      new Setting("world-size", "N", new SettingType.Whole(2, 1024), 3, "number of workers");

  /// The rank of this worker.
  public static final Setting RANK =
      new Setting(
          "rank",
          "R",
          new SettingType.Whole(0, 1023),
          null,
          "run only the worker of this rank, 0 to N-1");

  /// The host of rank 0.
  public static final Setting MASTER_ADDR =
      new Setting(
          "master-addr",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "host of rank 0");

  /// The port on which rank 0 listens.
  public static final Setting MASTER_PORT =
      new Setting("master-port", "P", new SettingType.Whole(1, 65_535), 29_500, "port of rank 0");

  /// The ports that this worker listens on.
  public static final Setting PORTS =
      new Setting(
          "ports",
          "FROM-TO",
          new SettingType.Parsed(
              "a range of at least 4 ports, such as 29500-29520", Setting::requirePorts),
          null,
          "ports to listen on; rank 0 uses the first (default: any free port, --master-port for"
              + " rank 0)");

  /// The address that other workers connect to.
  public static final Setting ADVERTISED_ADDR =
      new Setting(
          "advertised-addr",
          "HOST",
          new SettingType.Word("a host name or address"),
          null,
          "address that other workers connect to, if NAT changes it");

  /// The folder of the certificates.
  public static final Setting TLS =
      new Setting(
          "tls",
          "DIR",
          new SettingType.Folder(),
          null,
          "folder with tls.crt, tls.key and ca.crt: encrypt connections, and admit only workers"
              + " with a certificate of the same authority; see tensorbus certificates");

  /// Whether everyone on the network is trusted.
  public static final Setting TRUSTED_NETWORK =
      new Setting(
          "trusted-network",
          "",
          new SettingType.Flag(),
          false,
          "trust everyone who can reach the workers, and let them listen on other addresses than"
              + " 127.0.0.1; nothing is authenticated or encrypted");

  /// The training data.
  public static final Setting DATA =
      new Setting(
          "data",
          "DIR",
          new SettingType.Folder(),
          null,
          "folder of the data set (default: generated data)");

  /// The folder that the run is saved to.
  public static final Setting SAVE =
      new Setting(
          "save",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "save checkpoints in this folder");

  /// The folder of a saved run.
  public static final Setting RESUME =
      new Setting("resume", "DIR", new SettingType.Folder(), null, "resume a saved run");

  /// The folder that the curves are written to for TensorBoard.
  public static final Setting TENSORBOARD =
      new Setting(
          "tensorboard",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "write curves to an event file in this folder, for TensorBoard");

  /// The file to which the curves are appended as JSON lines.
  public static final Setting LOG =
      new Setting(
          "log",
          "FILE",
          new SettingType.Word("the name of a file"),
          null,
          "append curves to this file as JSON lines");

  /// The file that a profile is written to.
  public static final Setting PROFILE =
      new Setting(
          "profile",
          "FILE",
          new SettingType.Word("the name of a file"),
          null,
          "write a profile of ten steps of all workers to this file, as a Chrome trace");

  /// The number of passes over the data.
  public static final Setting EPOCHS =
      new Setting("epochs", "N", new SettingType.Whole(1, 1_000_000), 1, "passes over the data");

  /// The number of examples per step.
  public static final Setting BATCH_SIZE =
      new Setting("batch-size", "N", new SettingType.Whole(1, 65_536), 32, "examples per step");

  /// The learning rate.
  public static final Setting LR =
      new Setting("lr", "RATE", new SettingType.Positive(), 0.03, "learning rate");

  /// The random seed.
  public static final Setting SEED =
      new Setting(
          "seed",
          "S",
          new SettingType.Whole(Long.MIN_VALUE, Long.MAX_VALUE),
          1,
          "random seed; equal seeds give equal runs");

  /// The number of cores for a worker's arithmetic.
  public static final Setting THREADS =
      new Setting(
          "threads",
          "N",
          new SettingType.Whole(1, 1024),
          null,
          "cores for the arithmetic of each worker (default: all)");

  /// The engine that runs forward passes.
  public static final Setting FORWARD =
      new Setting(
          "forward",
          "ENGINE",
          new SettingType.Choice("java", "onnx"),
          "java",
          "engine of the forward passes: java, or onnx for ONNX Runtime");

  /// The number of GPUs.
  public static final Setting NUM_GPUS =
      new Setting(
          "num-gpus",
          "G",
          new SettingType.Whole(0, 2),
          0,
          "GPUs for forward passes by ONNX Runtime; with two, the first runs the convolutions");

  /// Whether to compute on the CPU if a GPU is missing.
  public static final Setting CPU_FALLBACK =
      new Setting(
          "cpu-fallback",
          "",
          new SettingType.Flag(),
          false,
          "with --num-gpus: compute on the CPU if a GPU is missing");

  /// The maximum wait for answers and for workers to join.
  public static final Setting TIMEOUT =
      new Setting(
          "timeout",
          "SECONDS",
          new SettingType.Whole(1, 86_400),
          null,
          "maximum wait for answers (default: 60) and for workers to join (default: 600)");

  /// How long a worker may be silent before it is considered dead.
  public static final Setting HEARTBEAT_TIMEOUT =
      new Setting(
          "heartbeat-timeout",
          "SECONDS",
          new SettingType.Whole(2, 86_400),
          30,
          "silence after which a worker is considered dead");

  /// The port on which a debugger attaches to the first worker. By default, there is none.
  public static final Setting DEBUG =
      new Setting(
          "debug",
          "P",
          new SettingType.Whole(1, 65_535 - 1_023),
          null,
          "let debuggers attach: the workers of this machine listen on ports P, P+1, … of"
              + " 127.0.0.1, and timeouts that are not given are a day (default: off)");

  /// What happens when a world loses a worker.
  public static final Setting ON_LOSS =
      new Setting(
          "on-loss",
          "ACTION",
          new SettingType.Choice("stop", "continue"),
          "continue",
          "when a worker of a local world is lost for good: stop, or continue while rank 0 and"
              + " another worker are left; with --servers, a majority of the servers and a"
              + " trainer");

  /// How the worker's threads wait.
  public static final Setting IDLE_STRATEGY =
      new Setting(
          "idle-strategy",
          "STRATEGY",
          new SettingType.Choice("adaptive", "park"),
          "adaptive",
          "how threads wait: adaptive (spin where that pays) or park (never spin)");

  /// The port for Prometheus. By default, there is none.
  public static final Setting METRICS =
      new Setting(
          "metrics",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "Prometheus port; rank R of a local world listens on P + R, 0 selects free ports"
              + " (default: off)");

  /// The address that the Prometheus port is bound to.
  public static final Setting METRICS_HOST =
      new Setting(
          "metrics-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address that the Prometheus port is bound to");

  /// The port of the live page. By default, there is no page.
  public static final Setting PAGE =
      new Setting(
          "page",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "port of a web page about the world, served by rank 0; it stays up after the run until"
              + " Ctrl-C (default: off)");

  /// The address that the page is served on.
  public static final Setting PAGE_HOST =
      new Setting(
          "page-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address that the page's port is bound to; other than loopback, the URL contains a"
              + " token");

  /// The folder that the page keeps runs in.
  public static final Setting RUNS =
      new Setting(
          "runs",
          "DIR",
          new SettingType.Word("the name of a folder"),
          null,
          "with --page: keep the curves and settings of the last 100 runs in this folder, to"
              + " compare them");

  /// The OpenTelemetry collector that receives the spans.
  public static final Setting OTLP =
      new Setting(
          "otlp",
          "URL",
          new SettingType.HttpUrl(),
          null,
          "send traces to this OpenTelemetry collector, such as http://127.0.0.1:4318 (default:"
              + " off)");

  /// The fraction of traces to keep.
  public static final Setting TRACE_RATIO =
      new Setting(
          "trace-ratio",
          "R",
          new SettingType.Ratio(),
          1.0,
          "with --otlp: fraction of traces to keep");

  /// The minimum level of log lines.
  public static final Setting LOG_LEVEL =
      new Setting(
          "log-level",
          "LEVEL",
          new SettingType.Choice("error", "warning", "info", "debug", "trace"),
          "info",
          "minimum level of the lines on standard error: error, warning, info, debug (with stack"
              + " traces) or trace");

  /// The format of log lines.
  public static final Setting LOG_FORMAT =
      new Setting(
          "log-format",
          "FORMAT",
          new SettingType.Choice("text", "json"),
          "text",
          "format of the lines on standard error: text, or json for one object per line");

  /// The settings that turn on what observes a run, but not those of the gateway.
  public static final List<Setting> OBSERVING =
      List.of(PAGE, PAGE_HOST, RUNS, METRICS, METRICS_HOST, PROFILE, TENSORBOARD, LOG, DEBUG);

  /// The settings that decide who can connect.
  public static final List<Setting> SECURITY = List.of(TLS, TRUSTED_NETWORK);

  /// Returns a copy with another default.
  public Setting withStandard(Object value) {
    return new Setting(name, label, kind, value, help);
  }

  /// Returns a copy with another minimum; only for [SettingType.Whole].
  public Setting from(long min) {
    return new Setting(name, label, ((SettingType.Whole) kind).from(min), standard, help);
  }

  /// Returns a copy with another help text.
  public Setting withHelp(String text) {
    return new Setting(name, label, kind, standard, text);
  }

  /// Returns the key in a JSON file: `worldSize` for `world-size`.
  public String key() {
    String[] words = name.split("-", -1);
    StringBuilder key = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      key.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return key.toString();
  }

  /// Returns the option on the command line: `--world-size` for `world-size`.
  public String option() {
    return "--" + name;
  }

  /// Returns the environment variable: `TENSORBUS_WORLD_SIZE` for `world-size`.
  public String variable() {
    return "TENSORBUS_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// Returns the help text, including the default.
  public String description() {
    boolean isSaid = standard == null || standard.equals(false);
    return isSaid ? help : help + " (default: " + standard + ")";
  }

  private static void requirePorts(String range) {
    if (PortRange.parse(range).isAny()) {
      throw new IllegalArgumentException("any port");
    }
  }

  /// Returns whether this is a boolean setting, which takes no value on the command line.
  public boolean isFlag() {
    return kind instanceof SettingType.Flag;
  }

  /// Converts a command line argument to a JSON value.
  ///
  /// @throws UsageException if it is malformed
  public Object read(String word) {
    return read(option(), word);
  }

  /// Converts a string to a JSON value.
  ///
  /// @param called the setting's name in an error message
  /// @throws UsageException if it is malformed
  Object read(String called, String word) {
    Object value = kind.read(word);
    if (value == null) {
      throw misfit(called, word);
    }
    return value;
  }

  /// Checks that a value is valid.
  ///
  /// @param called the setting's name in an error message
  /// @throws UsageException if it is invalid
  public void check(String called, @Nullable Object value) {
    if (value == null || !kind.accepts(value)) {
      throw misfit(called, value);
    }
  }

  private UsageException misfit(String called, @Nullable Object value) {
    return new UsageException(called + " is " + value + "; expected " + kind.expected());
  }
}
