// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.worker.Startup;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/// Measures each operation of the engine separately, on one thread, with the data sizes and
/// durations of the PyTorch benchmark.
public final class OpsBench implements Benchmark {
  /// The regular expression that selects the operations to measure.
  public static final Setting PATTERN =
      new Setting(
          "pattern",
          "REGEX",
          new SettingType.Word("a regular expression"),
          ".*",
          "operations to measure");

  private static final int THREADS = 1;

  /// Creates the benchmark.
  public OpsBench() {}

  @Override
  public String name() {
    return "ops";
  }

  @Override
  public String summary() {
    return "each operation of the engine, for five minutes";
  }

  @Override
  public void check(JsonObject given) {
    matching(pattern(given));
  }

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    return KernelBenchmark.run(OpsBench.class, THREADS, List.of(pattern(given)));
  }

  private static String pattern(JsonObject given) {
    return given.getString(PATTERN.key(), (String) PATTERN.standard());
  }

  /// Prints the figures of the operations whose names match the first argument.
  public static void main(String[] arguments) {
    Startup.begin();
    List<Operation> operations = matching(arguments[0]);
    Times.touchNewArrays();
    System.err.println("ops: " + operations.size() + " operations of one or two seconds each");
    operations.forEach(operation -> IO.println(operation.measure()));
  }

  /// Returns all operations, in the order of the PyTorch benchmark.
  static List<Operation> all() {
    return Stream.of(
            new Elementwise(),
            new Reduce(),
            new Matmul(),
            new Conv(),
            new Model(),
            new Optim(),
            new Graph())
        .flatMap(group -> group.operations().stream())
        .toList();
  }

  /// Returns the operations whose full names match a regular expression.
  ///
  /// @throws UsageException if no operation matches, or the pattern is not a regular expression
  static List<Operation> matching(String pattern) {
    Predicate<String> matches = compiled(pattern).asMatchPredicate();
    List<Operation> matching =
        all().stream().filter(operation -> matches.test(operation.name())).toList();
    if (matching.isEmpty()) {
      throw new UsageException(
          "%s is %s, which matches no operation; expected a pattern such as reduce\\.softmax.*"
              .formatted(PATTERN.option(), pattern));
    }
    return matching;
  }

  private static Pattern compiled(String pattern) {
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "%s is %s, which is not a regular expression: %s; expected one such as reduce\\.softmax.*"
              .formatted(PATTERN.option(), pattern, e.getDescription()));
    }
  }
}
