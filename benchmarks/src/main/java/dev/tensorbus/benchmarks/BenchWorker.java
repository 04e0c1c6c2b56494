// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.verticles.worker.RoleMain;
import java.util.Arrays;

/// Runs one worker of a [WorldBenchmark].
final class BenchWorker {
  private BenchWorker() {}

  /// Takes what a role's own main takes.
  public static void main(String[] arguments) {
    RoleMain.run(() -> Benchmarks.PROGRAMS, Arrays.asList(arguments));
  }
}
