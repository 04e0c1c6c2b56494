// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.verticles.WorkerOptions;
import java.io.IOException;

/// What `tensorbus bench` measures under one name.
interface Benchmark {
  String name();

  /// Runs it in JVMs of its own, whose figures go to standard output, and gives the exit code.
  ///
  /// @param options what the user has set
  /// @param steps how long to train, where that is what is measured
  int run(WorkerOptions options, int steps) throws IOException, InterruptedException;
}
