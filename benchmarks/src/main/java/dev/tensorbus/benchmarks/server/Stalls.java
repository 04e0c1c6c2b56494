// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.server.Killer.Killed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The calls of trainers that took long, and how long trainers waited after each kill. Trainers
/// print a line for each long call.
public final class Stalls {
  /// The time from which on a call is long.
  static final Duration LONG = Duration.ofMillis(10);

  private static final String WORD = "long-call";

  private record Call(String process, long start, long end) {}

  private final List<Call> calls = new ArrayList<>();

  /// Creates an instance without calls.
  public Stalls() {}

  /// Prints a line that [#read] understands if a call was long.
  static void report(String process, long start, long end) {
    if (end - start >= LONG.toNanos()) {
      System.out.println(WORD + " " + process + " " + start + " " + end);
    }
  }

  /// Reads a line of a trainer. Returns whether it was one of [#report].
  public synchronized boolean read(String line) {
    String[] words = line.split(" ", -1);
    boolean isCall = words.length == 4 && words[0].equals(WORD);
    if (isCall) {
      calls.add(new Call(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
    }
    return isCall;
  }

  /// Returns the longest call of any other process, in seconds, that was under way within
  /// [Killer#RESTART_DELAY] after a kill; [#LONG] if none was long.
  public double after(Killed kill) {
    return longest(kill.process(), kill.at(), kill.at() + Killer.RESTART_DELAY.toNanos());
  }

  /// Returns the longest call that was under way within a time, in seconds.
  double longest(long from, long to) {
    return longest("", from, to);
  }

  private synchronized double longest(String except, long from, long to) {
    long longest =
        calls.stream()
            .filter(call -> !call.process().equals(except))
            .filter(call -> call.end() >= from && call.start() <= to)
            .mapToLong(call -> call.end() - call.start())
            .max()
            .orElse(LONG.toNanos());
    return longest / 1e9;
  }

  /// Returns the figures of the stalls after kills of processes that were primaries.
  public List<Figure> figures(String prefix, List<Killed> kills) {
    double[] stalls = kills.stream().filter(k -> k.slots() > 0).mapToDouble(this::after).toArray();
    if (stalls.length == 0) {
      return List.of();
    }
    Arrays.sort(stalls);
    return List.of(
        new Figure(prefix + "stall.median", 1e3 * quantile(stalls, 0.5), "ms"),
        new Figure(prefix + "stall.p99", 1e3 * quantile(stalls, 0.99), "ms"),
        new Figure(prefix + "stall.max", 1e3 * stalls[stalls.length - 1], "ms"));
  }

  private static double quantile(double[] sorted, double fraction) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * fraction))];
  }
}
