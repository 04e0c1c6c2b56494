// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.command.RoleMain;
import java.util.Arrays;

/// Runs one worker of a [WorldBenchmark].
final class BenchWorker {
  private BenchWorker() {}

  /// Takes the role's name, then what a role's own main takes.
  public static void main(String[] arguments) {
    RoleMain.run(
        Role.valueOf(arguments[0]),
        Benchmarks.PROGRAMS,
        Arrays.asList(arguments).subList(1, arguments.length));
  }
}
