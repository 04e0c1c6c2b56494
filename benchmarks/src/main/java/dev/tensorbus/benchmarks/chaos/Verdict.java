// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.benchmarks.chaos.Outcome.End;
import dev.tensorbus.benchmarks.chaos.Outcome.Happened;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Judges the end of a world.
///
/// Where two orders of events are right, it demands neither: only that everybody ends, with one
/// line of reason where the code is not zero.
final class Verdict {
  /// The exit code of a process that SIGKILL ended.
  static final int KILLED = 137;

  /// Silence that must not make a worker dead, with the standard time-out of 5 s.
  private static final long SHORT_MILLIS = 3_000;

  /// Silence after which the others have lost a worker, and it must know.
  private static final long LONG_MILLIS = 7_000;

  private static final Pattern TRACE =
      Pattern.compile("^\\s+at [\\w.$/@]+\\(.*\\)$|^Exception in thread|^Caused by: ");

  private final Outcome outcome;
  private final List<String> wrong = new ArrayList<>();

  private Verdict(Outcome outcome) {
    this.outcome = outcome;
  }

  /// A line for each thing that is wrong.
  static List<String> on(Outcome outcome) {
    Verdict verdict = new Verdict(outcome);
    outcome.ends().forEach(verdict::judge);
    outcome.leftOver().forEach(name -> verdict.wrong.add("left over: " + name));
    if (outcome.ends().stream().allMatch(end -> end.code().isPresent())) {
      verdict.judgeCodes();
    }
    return List.copyOf(verdict.wrong);
  }

  private void judge(End end) {
    if (end.code().isEmpty()) {
      wrong.add(end + " hangs");
      return;
    }
    int code = end.code().getAsInt();
    long reasons = end.lines().stream().filter(line -> line.contains("error: ")).count();
    if (code > 2 && !(code == KILLED && end.isKilled())) {
      wrong.add(end + " ended with code " + code);
    } else if ((code == 1 || code == 2) && reasons != 1) {
      wrong.add(end + " ended with code " + code + " and " + reasons + " lines of reason, not 1");
    }
    end.lines().stream()
        .filter(line -> TRACE.matcher(line).find())
        .findFirst()
        .ifPresent(line -> wrong.add(end + " printed a stack trace: " + line.strip()));
  }

  /// Demands codes where only one order of events is possible.
  private void judgeCodes() {
    Set<Integer> dead =
        outcome.ends().stream()
            .filter(end -> end.code().getAsInt() == KILLED)
            .map(End::rank)
            .collect(Collectors.toSet());
    judgeEvicted();
    if (isAnyoneLongSilent()) {
      return;
    }
    if (dead.isEmpty()) {
      demand(end -> true, true, "though nothing happened that may end a worker");
    } else if (isEveryoneKilledAtWork()) {
      judgeDeaths(dead);
    }
  }

  /// A worker that the others lost while they were at work has not done its own.
  private void judgeEvicted() {
    Map<Integer, Happened> frozen = new HashMap<>();
    Set<Integer> evicted = new HashSet<>();
    for (Happened event : outcome.happened()) {
      if (event.what() instanceof Disturbance.Freeze freeze) {
        frozen.putIfAbsent(freeze.rank(), event);
      } else if (event.what() instanceof Disturbance.Thaw thaw && !event.isFinished()) {
        Happened from = frozen.remove(thaw.rank());
        if (from != null
            && from.isComplete()
            && event.afterMillis() - from.afterMillis() > LONG_MILLIS) {
          evicted.add(thaw.rank());
        }
      }
    }
    demand(
        end -> evicted.contains(end.rank()) && !isRestarted(end.rank()),
        false,
        "though it was evicted");
  }

  private boolean isRestarted(int rank) {
    return outcome.ends().stream().anyMatch(end -> end.rank() == rank && end.isRestarted());
  }

  private void judgeDeaths(Set<Integer> dead) {
    boolean isRestarted = outcome.ends().stream().anyMatch(End::isRestarted);
    boolean someLive = dead.size() < outcome.plan().worldSize() - 1;
    if (dead.contains(0)) {
      demand(end -> !end.isRestarted(), false, "without rank 0");
    } else if (outcome.plan().workload().sparesWorkers() && someLive) {
      demand(end -> !end.isRestarted(), true, "though it could go on without " + dead);
    } else if (!isRestarted) {
      demand(end -> true, false, "without the only worker beside it");
    }
  }

  private void demand(Predicate<End> whose, boolean isGood, String why) {
    for (End end : outcome.ends()) {
      int code = end.code().getAsInt();
      if (code != KILLED && whose.test(end) && (code == 0) != isGood) {
        wrong.add(end + " ended with code " + code + " " + why);
      }
    }
  }

  private boolean isEveryoneKilledAtWork() {
    return outcome.happened().stream()
        .filter(event -> event.what() instanceof Disturbance.Kill)
        .allMatch(event -> event.isComplete() && !event.isFinished());
  }

  /// Whether a worker was frozen or cut off for so long that it may count as dead.
  private boolean isAnyoneLongSilent() {
    Map<Integer, Long> silent = new HashMap<>();
    for (Happened event : outcome.happened()) {
      switch (event.what()) {
        case Disturbance.Cut cut -> {
          return true;
        }
        case Disturbance.Freeze freeze ->
            silent.merge(freeze.rank(), -event.afterMillis(), Long::sum);
        case Disturbance.Thaw thaw -> silent.merge(thaw.rank(), event.afterMillis(), Long::sum);
        default -> {}
      }
    }
    return silent.values().stream().anyMatch(millis -> millis < 0 || millis > SHORT_MILLIS);
  }
}
