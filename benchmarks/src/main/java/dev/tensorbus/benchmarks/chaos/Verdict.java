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

/// Checks how a world ended.
///
/// If several outcomes are correct, exit codes are not compared with an expected outcome. In any
/// case, every process must end, with one error line if its exit code is not zero.
final class Verdict {
  /// The exit code of a process ended by SIGKILL.
  static final int KILLED = 137;

  /// The maximum time from the heartbeat timeout of a silent worker until the others report it as
  /// lost.
  private static final Duration NOTICED = Duration.ofSeconds(2);

  /// The fraction of the timeout that a busy machine may add to a silence.
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

  /// Returns a line for each violation.
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
      wrong.add(end + " ended with code " + code + " and " + reasons + " error lines, expected 1");
    }
    end.lines().stream()
        .filter(line -> TRACE.matcher(line).find())
        .findFirst()
        .ifPresent(line -> wrong.add(end + " printed a stack trace: " + line.strip()));
  }

  /// Checks exit codes if only one outcome is possible.
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
      demand(end -> true, true, "though no event could end a worker");
    } else if (isEveryoneKilledAtWork()) {
      judgeDeaths(dead);
    }
  }

  /// Requires that a worker fails if the others have evicted it during the work.
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

  /// Requires that no worker that was only slow or briefly silent is lost or evicted.
  private void judgeLosses(End end) {
    end.lines().stream()
        .flatMap(line -> falseLoss(line).stream())
        .findFirst() // later ones may be consequences
        .ifPresent(loss -> wrong.add(end + " " + loss));
  }

  private Optional<String> falseLoss(String line) {
    return line.contains(EVICTED)
        ? Optional.of("was evicted, though it was silent for less than the heartbeat timeout")
        : lost(line)
            .filter(this::hasDoneItsWork)
            .map(rank -> "lost rank " + rank + ", which was alive");
  }

  /// Returns the rank of the worker that the line reports as lost, if any.
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
      demand(end -> !end.isRestarted(), true, "though it could continue without " + dead);
      dead.forEach(this::demandReport);
    } else if (!isRestarted) {
      demand(end -> true, false, "without the only other worker");
    }
  }

  /// Requires that at least one live worker reports the loss of a killed worker.
  private void demandReport(int rank) {
    if (outcome.ends().stream()
        .flatMap(end -> end.lines().stream())
        .flatMap(line -> lost(line).stream())
        .noneMatch(lost -> lost == rank)) {
      wrong.add("no worker reported that rank " + rank + " was lost");
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

  /// Returns whether a worker was cut off, or was frozen for so long that it may be considered
  /// dead.
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
