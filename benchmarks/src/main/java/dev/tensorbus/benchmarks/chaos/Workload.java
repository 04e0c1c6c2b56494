// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.util.List;
import java.util.Locale;

/// A program with settings that make it last about twenty seconds.
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

  /// The programs take turns from one seed to the next.
  static Workload inTurn(long seed) {
    return values()[Math.floorMod(seed, values().length)];
  }

  /// Its name on the command line.
  String program() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Workers of its largest world here; the least is 2.
  int mostWorkers() {
    return mostWorkers;
  }

  /// A part of the line that it prints when its training is over.
  String finish() {
    return finish;
  }

  /// Its command line, beside the place of the world.
  List<String> settings() {
    return List.of(option, Integer.toString(value));
  }

  /// Whether it goes on without one of several workers that is not rank 0.
  boolean sparesWorkers() {
    return mostWorkers > 2;
  }
}
