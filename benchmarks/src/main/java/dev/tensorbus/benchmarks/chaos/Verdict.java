// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.benchmarks.chaos.Outcome.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /// The others have lost a silent worker at the latest this long after the time-out.
  private static final Duration NOTICED = Duration.ofSeconds(2);

  /// The part of the time-out that a busy machine may add to a silence.
  private static final double SLOWNESS = 0.5;

  private static final Pattern LOST = Pattern.compile(" lost \\S+, rank (\\d+), which ");
  private static final String EVICTED = "was evicted from its world";

  private static final Pattern TRACE =
      Pattern.compile("^\\s+at [\\w.$/@]+\\(.*\\)$|^Exception in thread|^Caused by: ");

  private final Outcome outcome;
  private final List<Silence> silences;
  private final List<String> wrong = new ArrayList<>();

  private Verdict(Outcome outcome) {
    this.outcome = outcome;
    this.silences = Silence.in(outcome);
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
    if (mayAnyoneBeLost()) {
      return;
    }
    outcome.ends().forEach(this::judgeLosses);
    if (dead.isEmpty()) {
      demand(end -> true, true, "though nothing happened that may end a worker");
    } else if (isEveryoneKilledAtWork()) {
      judgeDeaths(dead);
    }
  }

  /// A worker that the others lost while they were at work has not done its own.
  private void judgeEvicted() {
    long most = outcome.plan().heartbeatTimeout().plus(NOTICED).toMillis();
    Set<Integer> evicted =
        silences.stream()
            .filter(silence -> silence.isAtWork() && silence.millis() > most)
            .map(Silence::rank)
            .collect(Collectors.toSet());
    demand(
        end -> evicted.contains(end.rank()) && !isRestarted(end.rank()),
        false,
        "though it was evicted");
  }

  /// No worker that was only slow or briefly silent may be lost to another or evict itself.
  private void judgeLosses(End end) {
    end.lines().stream()
        .flatMap(line -> falseLoss(line).stream())
        .findFirst() // the rest may be consequences
        .ifPresent(loss -> wrong.add(end + " " + loss));
  }

  private Optional<String> falseLoss(String line) {
    return line.contains(EVICTED)
        ? Optional.of("was evicted, though it was not silent for the heartbeat time-out")
        : lost(line)
            .filter(this::hasDoneItsWork)
            .map(rank -> "lost rank " + rank + ", which was well");
  }

  /// Returns the rank of the worker that the line reports as lost.
  static Optional<Integer> lost(String line) {
    return LOST.matcher(line).results().map(lost -> Integer.valueOf(lost.group(1))).findFirst();
  }

  private boolean hasDoneItsWork(int rank) {
    return outcome.ends().stream()
        .filter(end -> end.rank() == rank)
        .allMatch(end -> end.code().getAsInt() == 0);
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
      dead.forEach(this::demandReport);
    } else if (!isRestarted) {
      demand(end -> true, false, "without the only worker beside it");
    }
  }

  /// At least one live worker reports the loss of a killed one.
  private void demandReport(int rank) {
    if (outcome.ends().stream()
        .flatMap(end -> end.lines().stream())
        .flatMap(line -> lost(line).stream())
        .noneMatch(lost -> lost == rank)) {
      wrong.add("nobody reported that rank " + rank + " was lost");
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
  private boolean mayAnyoneBeLost() {
    Plan plan = outcome.plan();
    double part = Plan.MOST_PAUSED - (plan.burners() == 0 ? 0 : SLOWNESS);
    long most = (long) (plan.heartbeatTimeout().toMillis() * part);
    return outcome.happened().stream().anyMatch(event -> event.what() instanceof Disturbance.Cut)
        || silences.stream().anyMatch(silence -> silence.end() == null)
        || silences.stream()
            .collect(Collectors.groupingBy(Silence::rank, Collectors.summingLong(Silence::millis)))
            .values()
            .stream()
            .anyMatch(millis -> millis > most);
  }
}
