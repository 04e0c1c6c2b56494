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
/// @param givesUp whether trainers stop computing a step that has been taken without them
public record Simulation(
    Consistency consistency,
    int trainers,
    StepTimes stepTimes,
    int stepsPerPush,
    double duration,
    long seed,
    boolean givesUp) {

  /// The result of a simulation.
  ///
  /// @param idle the share of their time that trainers wait, from 0 to 1
  /// @param throughput the steps whose pushes were applied, per trainer and unit of time
  /// @param dropped the share of the pushes that came too late, from 0 to 1
  public record Result(double idle, double throughput, double dropped) {}

  /// An event: the end of a trainer's step or, with the trainer -1, of a grace time.
  private record Event(double time, int trainer, @Nullable Grace grace) {}

  /// Simulates trainers that finish all their steps.
  public Simulation(
      Consistency consistency,
      int trainers,
      StepTimes stepTimes,
      int stepsPerPush,
      double duration,
      long seed) {
    this(consistency, trainers, stepTimes, stepsPerPush, duration, seed, false);
  }

  /// Runs the simulation.
  public Result run() {
    return new Run().result();
  }

  /// The state of a run.
  private final class Run {
    private final Clocks<Integer> clocks =
        new Clocks<>(
            Members.of("trainer", IntStream.range(0, trainers).boxed().toList()), consistency);
    private final RandomGenerator random = new SplittableRandom(seed);
    private final PriorityQueue<Event> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble(Event::time).thenComparingInt(Event::trainer));
    private final double[] busy = new double[trainers];

    /// By trainer: the end of the step that it computes, if it computes one.
    private final @Nullable Event[] computing = new Event[trainers];

    private long applied;
    private long dropped;

    Result result() {
      IntStream.range(0, trainers).forEach(trainer -> start(trainer, 0));
      while (!queue.isEmpty() && queue.element().time() <= duration) {
        handle(queue.remove());
      }
      double all = trainers * duration;
      double idle = 1 - IntStream.range(0, trainers).mapToDouble(i -> busy[i]).sum() / all;
      double throughput = applied * stepsPerPush / all;
      return new Result(idle, throughput, dropped / (double) Math.max(1, applied + dropped));
    }

    private void start(int trainer, double now) {
      double end = now;
      for (int step = 0; step < stepsPerPush; step++) {
        end += stepTimes.next(trainer, random);
      }
      busy[trainer] += Math.min(end, duration) - now;
      Event event = new Event(end, trainer, null);
      computing[trainer] = event;
      queue.add(event);
    }

    private void handle(Event event) {
      Grace grace = event.grace();
      if (grace == null) {
        computing[event.trainer()] = null;
        carryOut(clocks.push(event.trainer()), event.time());
      } else {
        carryOut(clocks.graceEnded(grace), event.time());
      }
    }

    private void carryOut(Clocks.Outcome<Integer> outcome, double now) {
      applied += outcome.step().size();
      dropped += outcome.dropped().size();
      outcome.released().forEach(trainer -> start(trainer, now));
      Grace grace = outcome.grace();
      if (grace != null) {
        queue.add(new Event(now + grace.duration().toNanos() / 1e9, -1, grace));
      }
      if (givesUp && !outcome.step().isEmpty()) {
        IntStream.range(0, trainers)
            .filter(trainer -> !outcome.released().contains(trainer))
            .forEach(trainer -> giveUp(trainer, now));
      }
    }

    /// Ends a trainer's step, which the others have taken without it. Its push is dropped.
    private void giveUp(int trainer, double now) {
      Event event = computing[trainer];
      if (event != null) {
        queue.remove(event);
        busy[trainer] -= Math.min(event.time(), duration) - now;
        carryOut(clocks.push(trainer), now);
      }
    }
  }
}
