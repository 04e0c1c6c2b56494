// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import io.vertx.core.json.JsonObject;
import java.io.IOException;

/// A workload that `tensorbus bench` measures under one name.
public interface Benchmark {
  /// Its name on the command line.
  String name();

  /// A line that says what it measures and, if that takes minutes, for how long.
  String summary();

  /// Checks what the user has set, before anything runs.
  ///
  /// @param given values by [dev.tensorbus.verticles.Setting#key()], of which it takes those that
  ///     it knows
  /// @throws dev.tensorbus.verticles.UsageException if one of these is no use
  default void check(JsonObject given) {}

  /// Runs it in JVMs of its own, whose figures go to standard output, and gives the exit code.
  ///
  /// @param given what was checked
  int run(JsonObject given) throws IOException, InterruptedException;
}
