// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.AwaitedCall;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/// A worker as rank 0 sees it.
///
/// @param report its last answer
/// @param ageMs milliseconds since that came
/// @param samplesPerSecond between its last two answers
/// @param state where it is
record SeenWorker(WorkerReport report, long ageMs, double samplesPerSecond, State state) {
  /// Where a worker is.
  enum State {
    /// It answers.
    HERE,
    /// It has not answered for seconds.
    SILENT,
    /// It was lost.
    LOST,
    /// The world has ended.
    DONE
  }

  /// Bounds of the time without a step after which a worker is late: ten steps as most of its
  /// latest, within these.
  private static final long LEAST_LATE_MS = 1_000;

  private static final long MOST_LATE_MS = 3_000;
  private static final int TIMES = 10;

  /// Whether it should be making steps.
  boolean isTraining() {
    return state == State.HERE && report.training().isUnfinished();
  }

  /// The steps that it has done or will do: one that is lost makes no more.
  long planned() {
    return state == State.LOST ? report.training().steps() : report.training().planned();
  }

  /// Whether its present step took far longer than its others, or no step came at all, when it
  /// answered. It may have made one since then.
  boolean isLate() {
    Double median = report.training().medianStepMs();
    long limit =
        median == null
            ? MOST_LATE_MS
            : Math.clamp((long) (TIMES * median), LEAST_LATE_MS, MOST_LATE_MS);
    return isTraining() && report.training().sinceStepMs() >= limit;
  }

  /// The call that it has waited for longest, if that is long.
  Optional<AwaitedCall> longWait() {
    return report.status().calls().stream()
        .filter(call -> call.forMs() >= LEAST_LATE_MS / 2)
        .findFirst();
  }

  JsonObject toJson() {
    JsonObject json = report.toJson();
    json.remove("log"); // the world has one for all
    return json.put("ageMs", ageMs)
        .put("samplesPerSecond", samplesPerSecond)
        .put("state", state.name());
  }
}
