// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.page.SeenWorker.State;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Lists the workers that need attention: lost, silent, or far slower than others.
final class Notices {
  private static final int MOST_STRAGGLERS = 5;

  private final List<SeenWorker> workers;
  private final List<JsonObject> notices = new ArrayList<>();

  private Notices(List<SeenWorker> workers) {
    this.workers = workers;
  }

  /// Returns the notices, the most severe first; each has a `kind`, a `worker` and a `text`.
  ///
  /// @param workers all workers that have ever answered
  /// @param lost the names of the lost workers, including those that never answered, each with a
  ///     description of how its process ended; empty if that is unknown
  static JsonArray of(List<SeenWorker> workers, Map<String, String> lost) {
    Notices notices = new Notices(workers);
    lost.forEach(
        (name, manner) -> {
          String how = manner.isEmpty() ? "" : " (" + manner + ")";
          notices.add(
              "lost",
              name,
              name + " is lost" + how + TakeOvers.of(name, workers) + leftOut(name, workers));
        });
    workers.stream().filter(one -> one.state() == State.SILENT).forEach(notices::addSilent);
    notices.addStragglers();
    return new JsonArray(notices.notices);
  }

  /// Describes the remaining steps of a lost worker, which will not be done.
  private static String leftOut(String name, List<SeenWorker> workers) {
    return workers.stream()
        .filter(one -> one.report().name().equals(name))
        .map(one -> one.report().training())
        .filter(Training::isUnfinished)
        .map(
            training ->
                ": %d of its %d steps and their data are left out"
                    .formatted(training.planned() - training.steps(), training.planned()))
        .findFirst()
        .orElse("");
  }

  private void add(String kind, String worker, String text) {
    notices.add(new JsonObject().put("kind", kind).put("worker", worker).put("text", text));
  }

  private void addSilent(SeenWorker worker) {
    String name = worker.report().name();
    add("silent", name, name + " has not answered for " + seconds(worker.ageMs()));
  }

  /// Adds the stragglers. Stragglers that wait for no other worker are listed first, because others
  /// may wait for them.
  private void addStragglers() {
    workers.stream()
        .filter(this::isStraggler)
        .sorted(Comparator.comparing(one -> one.longWait().isPresent()))
        .limit(MOST_STRAGGLERS)
        .forEach(
            one -> {
              String name = one.report().name();
              String late =
                  name
                      + " has not completed a step for "
                      + seconds(one.report().training().sinceStepMs());
              String cause =
                  one.longWait()
                      .map(call -> ": it waits for " + call.to() + " (" + call.method() + ")")
                      .orElse("");
              add("straggler", name, late + cause);
            });
  }

  /// Returns whether a worker is late, unless all workers in training are late because they
  /// compute, as during validation.
  private boolean isStraggler(SeenWorker worker) {
    return worker.isLate()
        && (worker.longWait().isPresent()
            || workers.stream()
                .filter(other -> other.isTraining() && !other.equals(worker))
                .anyMatch(other -> !other.isLate() || other.longWait().isPresent()));
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }
}
