// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.verticles.page.Curve.Point;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A worker's report to the page of its world.
///
/// @param role the label of its role
/// @param status its calls, peers and counts
/// @param training the progress of its training
/// @param callShare the fraction of the time since its last report spent waiting for calls
/// @param methods its calls by method: [MethodTimes]
/// @param calls the number of calls that it has made, by callee
/// @param server the status of its parameter server, empty if it is none: [ServerReading]
/// @param jvm the memory and the processor time of its JVM: [JvmUsage]
/// @param descriptions the settings and texts that describe the run, since its last report
/// @param points the points of its curves since its last report
/// @param log its lines since its last report: [LogTail]
record WorkerReport(
    String role,
    WorkerStatus status,
    Training training,
    double callShare,
    JsonArray methods,
    JsonObject calls,
    JsonObject server,
    JsonObject jvm,
    JsonObject descriptions,
    List<TagPoint> points,
    JsonArray log) {
  /// Copies the list.
  WorkerReport {
    points = List.copyOf(points);
  }

  /// Returns the worker's name.
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
        .put("calls", calls)
        .put("server", server)
        .put("jvm", jvm)
        .put("descriptions", descriptions)
        .put("points", new JsonArray(points.stream().map(TagPoint::toJson).toList()))
        .put("log", log);
  }

  /// Reads a report.
  ///
  /// @throws IllegalArgumentException if the JSON is not a report
  static WorkerReport fromJson(JsonObject json) {
    try {
      return new WorkerReport(
          json.getString("role", ""),
          WorkerStatus.fromJson(json.getJsonObject("status", new JsonObject())),
          Training.fromJson(json.getJsonObject("training", new JsonObject())),
          json.getDouble("callShare", 0.0),
          json.getJsonArray("methods", new JsonArray()),
          json.getJsonObject("calls", new JsonObject()),
          json.getJsonObject("server", new JsonObject()),
          json.getJsonObject("jvm", new JsonObject()),
          json.getJsonObject("descriptions", new JsonObject()),
          json.getJsonArray("points", new JsonArray()).stream()
              .map(point -> TagPoint.fromJson((JsonObject) point))
              .toList(),
          json.getJsonArray("log", new JsonArray()));
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "not a worker's report: " + e.getMessage() + "; run the same build on all workers", e);
    }
  }

  /// A new point of a curve.
  ///
  /// @param tag the name of the curve
  /// @param step the number of completed steps
  /// @param agoMs the age of the point in milliseconds, since the clocks of machines differ
  /// @param value may be NaN or infinite
  record TagPoint(String tag, long step, long agoMs, double value) {
    /// @param now the current time of the clock that measured the point's time
    static TagPoint of(String tag, Point point, long now) {
      return new TagPoint(tag, point.step(), now - point.time(), point.value());
    }

    JsonObject toJson() {
      return new JsonObject()
          .put("tag", tag)
          .put("step", step)
          .put("agoMs", agoMs)
          .put("value", finite(value));
    }

    static TagPoint fromJson(JsonObject json) {
      Double value = json.getDouble("value");
      return new TagPoint(
          json.getString("tag", ""),
          json.getLong("step", 0L),
          json.getLong("agoMs", 0L),
          value == null ? Double.NaN : value);
    }
  }

  /// Returns null for NaN and infinity, which JSON does not have.
  static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /// The progress of a worker's training.
  ///
  /// @param planned the assigned steps, done or not
  /// @param steps the completed steps
  /// @param samples the examples in the completed steps
  /// @param loss the loss of the last step; null if there is none or it is not finite
  /// @param sinceStepMs milliseconds since the last step or, before the first, since the start
  /// @param medianStepMs the median duration of the latest steps; null if there are too few
  /// @param scalars the latest values of other curves, by name
  record Training(
      long planned,
      long steps,
      long samples,
      @Nullable Double loss,
      long sinceStepMs,
      @Nullable Double medianStepMs,
      Map<String, Double> scalars) {
    /// Copies the map.
    Training {
      scalars = Map.copyOf(scalars);
    }

    /// Returns whether there are steps left to do.
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
