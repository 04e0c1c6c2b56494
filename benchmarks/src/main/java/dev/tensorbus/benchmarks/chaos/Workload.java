// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.util.List;
import java.util.Locale;

/// A program with settings that make it run for about twenty seconds.
enum Workload {
  MNIST(4, "test accuracy", "--epochs", 1),
  BATCH(4, "finishes training", "--rounds", 2000),
  CARTPOLE(4, "olved", "--episodes", 150),
  RNN(2, "sample: ", "--epochs", 10);

  private final int mostWorkers;
  private final String finish;
  private final String option;
  private final int value;

  Workload(int mostWorkers, String finish, String option, int value) {
    this.mostWorkers = mostWorkers;
    this.finish = finish;
    this.option = option;
    this.value = value;
  }

  /// Returns the program for a seed; consecutive seeds cycle through the programs.
  static Workload inTurn(long seed) {
    return values()[Math.floorMod(seed, values().length)];
  }

  /// Returns the program's name on the command line.
  String program() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns the maximum number of workers; the minimum is 2.
  int mostWorkers() {
    return mostWorkers;
  }

  /// Returns part of the line that the program prints when its training has finished.
  String finish() {
    return finish;
  }

  /// Returns the program's own options, without the options of the world.
  List<String> settings() {
    return List.of(option, Integer.toString(value));
  }

  /// Returns whether the program can continue after losing one of several workers above rank 0.
  boolean sparesWorkers() {
    return mostWorkers > 2;
  }
}
