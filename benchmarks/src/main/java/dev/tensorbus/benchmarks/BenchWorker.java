// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.verticles.worker.RoleMain;
import java.util.Arrays;

/// Runs one worker of a [WorldBenchmark].
final class BenchWorker {
  private BenchWorker() {}

  /// Accepts the same arguments as [RoleMain].
  public static void main(String[] arguments) {
    RoleMain.run(() -> Benchmarks.PROGRAMS, Arrays.asList(arguments));
  }
}
