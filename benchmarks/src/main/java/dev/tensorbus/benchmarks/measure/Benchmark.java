// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import io.vertx.core.json.JsonObject;
import java.io.IOException;

/// A benchmark of `tensorbus bench`.
public interface Benchmark {
  /// Returns the benchmark's name on the command line.
  String name();

  /// Returns a line that says what the benchmark measures and, if it takes minutes, how long it
  /// takes.
  String summary();

  /// Validates the user's settings before anything runs.
  ///
  /// @param given values by [dev.tensorbus.verticles.Setting#key()]; unknown keys are ignored
  /// @throws dev.tensorbus.verticles.UsageException if a value is invalid
  default void check(JsonObject given) {}

  /// Runs the benchmark in separate JVMs, which print figures on standard output, and returns the
  /// exit code.
  ///
  /// @param given the validated settings
  int run(JsonObject given) throws IOException, InterruptedException;
}
