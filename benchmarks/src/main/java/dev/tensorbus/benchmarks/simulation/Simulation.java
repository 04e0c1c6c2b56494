// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.simulation;

import dev.tensorbus.optim.server.consistency.Clocks;
import dev.tensorbus.optim.server.consistency.Clocks.Grace;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.rpc.group.Members;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Simulates trainers of a parameter server in virtual time, whose unit is a second. [Clocks]
/// decides as in a real server. Steps take random times, and calls take no time. Equal seeds give
/// equal results.
///
/// @param consistency how pushes become steps
/// @param trainers the number of trainers
/// @param stepTimes the times of their steps
/// @param stepsPerPush the number of steps that a trainer computes before each push
/// @param duration the simulated time; a step takes about 1
/// @param seed the seed of the step times
public record Simulation(
    Consistency consistency,
    int trainers,
    StepTimes stepTimes,
    int stepsPerPush,
    double duration,
    long seed) {

  /// The result of a simulation.
  ///
  /// @param idle the share of their time that trainers wait, from 0 to 1
  /// @param throughput the steps whose pushes were applied, per trainer and unit of time
  /// @param dropped the share of the pushes that came too late, from 0 to 1
  public record Result(double idle, double throughput, double dropped) {}

  /// An event: the end of a trainer's step or, with the trainer -1, of a grace time.
  private record Event(double time, int trainer, @Nullable Grace grace) {}

  /// Runs the simulation.
  public Result run() {
    Clocks<Integer> clocks =
        new Clocks<>(
            Members.of("trainer", IntStream.range(0, trainers).boxed().toList()), consistency);
    RandomGenerator random = new SplittableRandom(seed);
    PriorityQueue<Event> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble(Event::time).thenComparingInt(Event::trainer));
    double[] busy = new double[trainers];
    for (int trainer = 0; trainer < trainers; trainer++) {
      queue.add(next(trainer, 0, random, busy));
    }
    long applied = 0;
    long dropped = 0;
    while (!queue.isEmpty() && queue.element().time() <= duration) {
      Event event = queue.remove();
      Clocks.Outcome<Integer> outcome =
          event.grace() == null ? clocks.push(event.trainer()) : clocks.graceEnded(event.grace());
      applied += outcome.step().size();
      dropped += outcome.dropped().size();
      for (int trainer : outcome.released()) {
        queue.add(next(trainer, event.time(), random, busy));
      }
      Grace grace = outcome.grace();
      if (grace != null) {
        queue.add(new Event(event.time() + grace.duration().toNanos() / 1e9, -1, grace));
      }
    }
    double all = trainers * duration;
    double idle = 1 - IntStream.range(0, trainers).mapToDouble(i -> busy[i]).sum() / all;
    double throughput = applied * stepsPerPush / all;
    return new Result(idle, throughput, dropped / (double) Math.max(1, applied + dropped));
  }

  private Event next(int trainer, double now, RandomGenerator random, double[] busy) {
    double end = now;
    for (int step = 0; step < stepsPerPush; step++) {
      end += stepTimes.next(trainer, random);
    }
    busy[trainer] += Math.min(end, duration) - now;
    return new Event(end, trainer, null);
  }
}
