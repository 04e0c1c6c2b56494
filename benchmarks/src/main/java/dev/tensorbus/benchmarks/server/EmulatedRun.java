// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.simulation.Simulation;
import dev.tensorbus.benchmarks.simulation.StepTimes;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.server.consistency.Consistency.Quorum;
import java.time.Duration;
import java.util.Locale;

/// A run of emulated trainers: workers that make real calls, but sleep instead of computing, so
/// that two cores can carry many of them.
///
/// @param trainers the number of trainers
/// @param times the random lengths of steps, in units of `step`
/// @param stepsPerPush the number of steps before each push
/// @param step the length of a step of 1; zero if trainers do not sleep
/// @param values the number of values of the model
/// @param givesUp whether trainers stop computing a step that has been taken without them
record EmulatedRun(
    int trainers,
    Consistency consistency,
    StepTimes times,
    int stepsPerPush,
    Duration step,
    Duration duration,
    long seed,
    int values,
    boolean givesUp) {

  /// The measurements of a run.
  ///
  /// @param idle the share of their time that trainers waited, from 0 to 1
  /// @param throughput the steps whose pushes were applied, per trainer and `step`
  /// @param pushes the pushes of all trainers in a second
  record Result(double idle, double throughput, double pushes) {}

  /// Returns a copy whose trainers stop computing a step that has been taken without them.
  EmulatedRun givingUp() {
    return new EmulatedRun(
        trainers, consistency, times, stepsPerPush, step, duration, seed, values, true);
  }

  /// Returns the arguments of a call.
  String words() {
    return "%d %s %s %d %d %d %d %d %s"
        .formatted(
            trainers,
            consistency,
            times,
            stepsPerPush,
            step.toNanos(),
            duration.toNanos(),
            seed,
            values,
            givesUp);
  }

  /// Returns the run with these [#words].
  static EmulatedRun of(String words) {
    String[] word = words.split(" ", -1);
    return new EmulatedRun(
        Integer.parseInt(word[0]),
        Consistency.parse(word[1]),
        StepTimes.valueOf(word[2]),
        Integer.parseInt(word[3]),
        Duration.ofNanos(Long.parseLong(word[4])),
        Duration.ofNanos(Long.parseLong(word[5])),
        Long.parseLong(word[6]),
        Integer.parseInt(word[7]),
        Boolean.parseBoolean(word[8]));
  }

  /// Returns the number of pushes in a step of the parameters. With a quorum it may be more.
  int contributions() {
    return switch (consistency) {
      case Bsp(int backups) -> trainers - backups;
      case Quorum(int contributions, Duration _) -> contributions;
      default -> 1;
    };
  }

  /// Returns the simulation of this run, in which calls take no time.
  Simulation simulation() {
    double length = duration.toNanos() / (double) step.toNanos();
    return new Simulation(simulated(), trainers, times, stepsPerPush, length, seed, givesUp);
  }

  /// Returns the consistency for steps that take about a second.
  private Consistency simulated() {
    return consistency instanceof Quorum(int contributions, Duration grace)
        ? new Quorum(
            contributions, Duration.ofNanos(grace.toNanos() * 1_000_000_000L / step.toNanos()))
        : consistency;
  }

  @Override
  public String toString() {
    return "%s.trainers%d.%s%s%s"
        .formatted(
            times.name().toLowerCase(Locale.ROOT),
            trainers,
            consistency,
            stepsPerPush == 1 ? "" : ".every" + stepsPerPush,
            givesUp ? ".giving-up" : "");
  }
}
