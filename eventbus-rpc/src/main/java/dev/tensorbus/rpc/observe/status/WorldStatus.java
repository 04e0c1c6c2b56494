// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/// A snapshot of a world's state, as returned by `Rpc.worldStatus`. All workers are asked
/// concurrently, but their answers are not synchronized, so a call may have ended on one worker and
/// still be pending on another.
///
/// @param workers the status of each worker that answered, ordered by rank
/// @param silent the names of the workers that did not answer in time
public record WorldStatus(List<WorkerStatus> workers, List<String> silent) {
  /// Copies the lists.
  public WorldStatus {
    workers = List.copyOf(workers);
    silent = List.copyOf(silent);
  }

  /// Returns this status as JSON: `workers` and `silent`.
  public JsonObject toJson() {
    return new JsonObject()
        .put("workers", new JsonArray(workers.stream().map(WorkerStatus::toJson).toList()))
        .put("silent", new JsonArray(silent));
  }
}
