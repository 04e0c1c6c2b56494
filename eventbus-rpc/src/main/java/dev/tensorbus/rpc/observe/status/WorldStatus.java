// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/// The state of a world: `Rpc.worldStatus`. Its workers were asked at the same time, but none waits
/// for another, so that a call may have ended at one and not yet at the other.
///
/// @param workers those that have answered, by rank
/// @param silent the names of those that did not answer in time
public record WorldStatus(List<WorkerStatus> workers, List<String> silent) {
  /// Keeps copies.
  public WorldStatus {
    workers = List.copyOf(workers);
    silent = List.copyOf(silent);
  }

  /// This status as JSON: `workers` and `silent`.
  public JsonObject toJson() {
    return new JsonObject()
        .put("workers", new JsonArray(workers.stream().map(WorkerStatus::toJson).toList()))
        .put("silent", new JsonArray(silent));
  }
}
