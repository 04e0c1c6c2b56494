// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.kernel.CompiledBench;
import dev.tensorbus.benchmarks.lane.SoakBench;
import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.benchmarks.ops.OpsBench;
import dev.tensorbus.benchmarks.server.LocalStepsBench;
import dev.tensorbus.benchmarks.training.MnistBench;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.command.OneLineErrors;
import dev.tensorbus.verticles.worker.Startup;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus bench [NAME...]`: prints one figure per line on standard output, and everything else
/// on standard error.
@Command(
    name = "tensorbus bench",
    description = "Runs benchmarks and prints a line with name, value and unit for each figure.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  tensorbus bench mnist",
      "  tensorbus bench gemm convnet",
      "  tensorbus bench all",
      "  tensorbus bench ops --pattern 'reduce.*'",
      "  tensorbus bench starts gemm         best, median and worst of 20 starts",
      "  tensorbus bench jmh Gemm            microbenchmarks, with the options of JMH"
    })
final class Bench implements Callable<Integer> {
  private static final String JMH = "jmh";

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "benchmarks to run: one or more of the names below, or all")
  private List<String> names = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "for mnist: folder of the MNIST files (default: generated digits)")
  private @Nullable String data;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "200",
      description = "for mnist: number of steps (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "duration of soak and goodput (default: 30), chaos (default: 2) or survive (default: 10)")
  private @Nullable Integer minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "for chaos, simulate, survive and goodput: seed that repeats a run")
  private @Nullable Long seed;

  @Option(
      names = "--heartbeat-timeout",
      paramLabel = "SECONDS",
      description = "for chaos: heartbeat timeout of the worlds (default: as for tensorbus train)")
  private @Nullable Integer heartbeatTimeout;

  @Option(
      names = "--pattern",
      paramLabel = "REGEX",
      description = "for ops: run the operations whose full names match (default: all)")
  private @Nullable String pattern;

  @Option(
      names = "--text",
      paramLabel = "FILE",
      description = "for local-steps: text to learn (default: a made-up one)")
  private @Nullable String text;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description = "for compiled: device of the graphs: cpu, cuda or cuda:N (default: cpu)")
  private @Nullable String device;

  @Option(
      names = "--tf32",
      description = "for compiled, with a GPU: round factors to TF32 (default: exact float32)")
  private boolean tf32;

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "20",
      description = "for starts: number of starts (default: ${DEFAULT-VALUE})")
  private int starts;

  @Spec private @Nullable CommandSpec spec;

  private Bench() {}

  /// Runs benchmarks and exits with 0, with 1 if one failed, or with 2 if the command line is
  /// invalid.
  public static void main(String[] arguments) throws IOException {
    Startup.begin();
    if (arguments.length > 0 && arguments[0].equals(JMH)) {
      org.openjdk.jmh.Main.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    } else {
      System.exit(commandLine().execute(arguments));
    }
  }

  static CommandLine commandLine() {
    CommandLine bench = new CommandLine(new Bench());
    UsageMessageSpec usage = bench.getCommandSpec().usageMessage();
    usage.footer(
        Stream.concat(Benchmarks.lines().stream(), Arrays.stream(usage.footer()))
            .toArray(String[]::new));
    return OneLineErrors.of(bench);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean again = !names.isEmpty() && names.getFirst().equals(Starts.NAME);
    List<String> benchmarks = again ? names.subList(1, names.size()) : names;
    requireName(benchmarks);
    List<Benchmark> chosen =
        benchmarks.stream().flatMap(name -> Benchmarks.named(name).stream()).toList();
    JsonObject given = given();
    new GivenSettings(given).check(Starts.COUNT);
    chosen.forEach(benchmark -> benchmark.check(given));
    if (again) {
      return new Starts(starts, argumentsOfStart()).run();
    }
    for (Benchmark benchmark : chosen) {
      int code = benchmark.run(given);
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  /// If no benchmark is named, prints the list of names and fails.
  private void requireName(List<String> benchmarks) {
    if (benchmarks.isEmpty()) {
      Benchmarks.lines().forEach(Objects.requireNonNull(spec).commandLine().getErr()::println);
      throw new UsageException(
          "missing NAME; expected one or more names, or all; for example tensorbus bench rpc gemm");
    }
  }

  /// Returns this command's arguments without the word that precedes the names.
  private List<String> argumentsOfStart() {
    List<String> arguments =
        new ArrayList<>(Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs());
    arguments.remove(Starts.NAME);
    return arguments;
  }

  private JsonObject given() {
    JsonObject given = new JsonObject();
    putGiven(given, MnistBench.STEPS, steps);
    putGiven(given, Starts.COUNT, starts);
    putGiven(given, SoakBench.MINUTES, minutes);
    putGiven(given, Setting.SEED, seed);
    putGiven(given, Setting.HEARTBEAT_TIMEOUT, heartbeatTimeout);
    putGiven(given, Setting.DATA, data);
    putGiven(given, OpsBench.PATTERN, pattern);
    putGiven(given, LocalStepsBench.TEXT, text);
    putGiven(given, CompiledBench.DEVICE, device);
    putGiven(given, CompiledBench.TF32, tf32);
    return given;
  }

  private static void putGiven(JsonObject given, Setting setting, @Nullable Object value) {
    if (value != null) {
      given.put(setting.key(), value);
    }
  }
}
