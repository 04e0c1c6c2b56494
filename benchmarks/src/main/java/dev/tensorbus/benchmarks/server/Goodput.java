// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.server.Killer.Killed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The steps of a run over time, and the figures that follow from them.
///
/// @param steps the time at which each step began, on the clock of [System#nanoTime]
/// @param kills the kills
/// @param start the start of the part without kills
/// @param firstKill the start of the part with kills
/// @param end the end of the run
record Goodput(
    NavigableMap<Long, Long> steps, List<Killed> kills, long start, long firstKill, long end) {
  private static final int SAMPLES = GoodputTrainer.SHARDS * GoodputTrainer.EXAMPLES;

  Goodput {
    steps = new TreeMap<>(steps);
    kills = List.copyOf(kills);
  }

  /// Returns the samples per second between two times.
  double speed(long from, long to) {
    long count = steps.values().stream().filter(time -> time >= from && time < to).count();
    return count * SAMPLES / ((to - from) / 1e9);
  }

  /// A step of all trainers, from its beginning to that of the next one, on the clock of
  /// [System#nanoTime].
  private record Step(long begin, long end) {
    private double millis() {
      return (end - begin) / 1e6;
    }
  }

  /// Returns the steps that end between two times, the shortest first.
  private List<Step> between(long from, long to) {
    long[] times = steps.values().stream().mapToLong(Long::longValue).sorted().toArray();
    return IntStream.range(1, times.length)
        .mapToObj(i -> new Step(times[i - 1], times[i]))
        .filter(step -> step.end() >= from && step.end() < to)
        .sorted(Comparator.comparingDouble(Step::millis))
        .toList();
  }

  /// Returns a line for each kill: the longest step until the next kill, and the time that the kill
  /// has cost, which is that of the steps which are missing until then.
  List<String> lines() {
    double perSecond = speed(start, firstKill) / SAMPLES;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < kills.size(); i++) {
      Killed kill = kills.get(i);
      long until = next(i);
      List<Step> after = between(kill.at(), until);
      Step longest = after.getLast();
      lines.add(
          "%s, primary of %d slots: %.0f ms was the longest step, %.1f s later; cost %.2f s"
              .formatted(
                  kill.process(),
                  kill.slots(),
                  longest.millis(),
                  Math.max(0, longest.begin() - kill.at()) / 1e9,
                  (until - kill.at()) / 1e9 - after.size() / perSecond));
    }
    return lines;
  }

  /// Returns the time at which the period after a kill ends.
  private long next(int kill) {
    return kill + 1 < kills.size() ? kills.get(kill + 1).at() : end;
  }

  /// Returns the stall after each kill, the shortest first: how much longer the longest step until
  /// the next kill took than a step without kills does, in milliseconds.
  private double[] stalls() {
    List<Step> undisturbed = between(start, firstKill);
    double usual = undisturbed.get(undisturbed.size() / 2).millis();
    return IntStream.range(0, kills.size())
        .mapToDouble(i -> between(kills.get(i).at(), next(i)).getLast().millis() - usual)
        .sorted()
        .toArray();
  }

  List<Figure> figures() {
    double before = speed(start, firstKill);
    double during = speed(firstKill, end);
    List<Step> sorted = between(firstKill, end);
    double[] stalls = stalls();
    return List.of(
        new Figure("goodput.undisturbed", before, "samples/s"),
        new Figure("goodput.disturbed", during, "samples/s"),
        new Figure("goodput.share", 100 * during / before, "%"),
        new Figure("goodput.kills", kills.size(), "kills"),
        new Figure("goodput.step.median", sorted.get(sorted.size() / 2).millis(), "ms"),
        new Figure("goodput.step.p99", sorted.get((int) (sorted.size() * 0.99)).millis(), "ms"),
        new Figure("goodput.step.max", sorted.getLast().millis(), "ms"),
        new Figure("goodput.stall.median", stalls[stalls.length / 2], "ms"),
        new Figure("goodput.stall.max", stalls[stalls.length - 1], "ms"));
  }
}
