// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.AwaitedCall;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/// A worker as seen by rank 0.
///
/// @param report its last report
/// @param ageMs milliseconds since that report
/// @param samplesPerSecond the speed over the last ten seconds
/// @param state its current state
record SeenWorker(WorkerReport report, long ageMs, double samplesPerSecond, State state) {
  /// The states of a worker.
  enum State {
    /// The worker answers.
    HERE,
    /// The worker has not answered for a few seconds.
    SILENT,
    /// The worker was lost.
    LOST,
    /// The world has ended.
    DONE
  }

  /// The minimum time without a step after which a worker is late. The actual limit is ten times
  /// the worker's median step, clamped to this minimum and to [#MOST_LATE_MS].
  private static final long LEAST_LATE_MS = 1_000;

  /// The maximum of that limit, and its value if the median is unknown.
  private static final long MOST_LATE_MS = 3_000;
  private static final int TIMES = 10;

  /// Returns whether the worker is expected to complete steps.
  boolean isTraining() {
    return state == State.HERE && report.training().isUnfinished();
  }

  /// Returns the number of steps that the worker has done or will do; a lost worker does no more.
  long planned() {
    return state == State.LOST ? report.training().steps() : report.training().planned();
  }

  /// Returns whether, at the worker's last report, its current step had already taken far too long.
  /// The worker may have completed the step since.
  boolean isLate() {
    Double median = report.training().medianStepMs();
    long limit =
        median == null
            ? MOST_LATE_MS
            : Math.clamp((long) (TIMES * median), LEAST_LATE_MS, MOST_LATE_MS);
    return isTraining() && report.training().sinceStepMs() >= limit;
  }

  /// Returns the longest pending call, if it has been pending for at least half a second.
  Optional<AwaitedCall> longWait() {
    return report.status().calls().stream()
        .filter(call -> call.forMs() >= LEAST_LATE_MS / 2)
        .findFirst();
  }

  JsonObject toJson() {
    JsonObject json = report.toJson();
    json.remove("log"); // the board has these for all workers
    json.remove("points");
    json.remove("descriptions");
    return json.put("ageMs", ageMs)
        .put("samplesPerSecond", samplesPerSecond)
        .put("state", state.name());
  }
}
