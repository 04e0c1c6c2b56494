// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.WorkerStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A worker's answer to the question of its world's page.
///
/// @param role the label of its role
/// @param status its state
/// @param training how far its own training is
/// @param callShare the part of the time since its last answer that it waited for answers to calls
/// @param methods its calls by method: [MethodTimes]
/// @param memory its JVM's memory: [JvmMemory]
/// @param log its lines since its last answer: [LogTail]
record WorkerReport(
    String role,
    WorkerStatus status,
    Training training,
    double callShare,
    JsonArray methods,
    JsonObject memory,
    JsonArray log) {
  /// The worker's name.
  String name() {
    return status.worker();
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("role", role)
        .put("status", status.toJson())
        .put("training", training.toJson())
        .put("callShare", callShare)
        .put("methods", methods)
        .put("memory", memory)
        .put("log", log);
  }

  /// @throws IllegalArgumentException if it is no report
  static WorkerReport fromJson(JsonObject json) {
    try {
      return new WorkerReport(
          json.getString("role", ""),
          WorkerStatus.fromJson(json.getJsonObject("status", new JsonObject())),
          Training.fromJson(json.getJsonObject("training", new JsonObject())),
          json.getDouble("callShare", 0.0),
          json.getJsonArray("methods", new JsonArray()),
          json.getJsonObject("memory", new JsonObject()),
          json.getJsonArray("log", new JsonArray()));
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "this is no report of a worker: " + e.getMessage() + "; start all from one build", e);
    }
  }

  /// How far a worker's own training is.
  ///
  /// @param planned steps that it was given, done or not
  /// @param steps steps that are done
  /// @param samples examples that these learned from
  /// @param loss the loss of the last step; null before it, or where it is no finite number
  /// @param sinceStepMs milliseconds since the last step; before it, since steps were planned
  /// @param medianStepMs the median of the latest steps in milliseconds; null while there are few
  /// @param scalars the latest values of other curves, by name
  record Training(
      long planned,
      long steps,
      long samples,
      @Nullable Double loss,
      long sinceStepMs,
      @Nullable Double medianStepMs,
      Map<String, Double> scalars) {
    /// Keeps a copy.
    Training {
      scalars = Map.copyOf(scalars);
    }

    /// Whether it has steps left to do.
    boolean isUnfinished() {
      return steps < planned;
    }

    JsonObject toJson() {
      JsonObject values = new JsonObject();
      new TreeMap<>(scalars).forEach(values::put);
      return new JsonObject()
          .put("planned", planned)
          .put("steps", steps)
          .put("samples", samples)
          .put("loss", loss)
          .put("sinceStepMs", sinceStepMs)
          .put("medianStepMs", medianStepMs)
          .put("scalars", values);
    }

    static Training fromJson(JsonObject json) {
      JsonObject values = json.getJsonObject("scalars", new JsonObject());
      Map<String, Double> scalars = new TreeMap<>();
      values.fieldNames().forEach(tag -> scalars.put(tag, values.getDouble(tag)));
      return new Training(
          json.getLong("planned", 0L),
          json.getLong("steps", 0L),
          json.getLong("samples", 0L),
          json.getDouble("loss"),
          json.getLong("sinceStepMs", 0L),
          json.getDouble("medianStepMs"),
          scalars);
    }
  }
}
