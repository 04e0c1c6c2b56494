// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A Chrome trace, read by Google's description of the Trace Event Format.
final class TraceFile {
  private final List<JsonObject> events;

  TraceFile(JsonObject file) {
    events = file.getJsonArray("traceEvents").stream().map(JsonObject.class::cast).toList();
  }

  private List<JsonObject> of(String phase) {
    return events.stream().filter(event -> event.getString("ph").equals(phase)).toList();
  }

  /// Checks all fields, and both ends of each arrow.
  void requireValid() {
    assertThat(events).extracting(event -> event.getString("ph")).isSubsetOf("M", "X", "s", "f");
    for (JsonObject event : events) {
      assertThat(event.getInteger("pid")).isPositive();
      assertThat(event.getInteger("tid")).isNotNull();
      assertThat(event.getString("name")).isNotEmpty();
    }
    of("X").forEach(event -> assertThat(event.getDouble("dur")).isNotNegative());
    assertThat(ids("s")).isEqualTo(ids("f")).doesNotHaveDuplicates();
    of("s").forEach(this::requireEvent);
    of("f").forEach(this::requireEvent);
    Set<String> named =
        of("M").stream()
            .filter(event -> event.getString("name").equals("thread_name"))
            .map(TraceFile::track)
            .collect(Collectors.toSet());
    assertThat(of("X")).extracting(TraceFile::track).isSubsetOf(named);
  }

  private List<Integer> ids(String phase) {
    return of(phase).stream().map(event -> event.getInteger("id")).toList();
  }

  private void requireEvent(JsonObject end) {
    assertThat(of("X"))
        .as("an event at " + end)
        .anyMatch(
            event ->
                track(event).equals(track(end))
                    && event.getDouble("ts") <= end.getDouble("ts")
                    && end.getDouble("ts") <= end(event));
  }

  private static String track(JsonObject event) {
    return event.getInteger("pid") + "/" + event.getInteger("tid");
  }

  private static double end(JsonObject event) {
    return event.getDouble("ts") + event.getDouble("dur");
  }

  /// How many arrows of this name there are.
  long arrows(String name) {
    return of("s").stream().filter(event -> event.getString("name").equals(name)).count();
  }

  List<String> names() {
    return of("X").stream().map(event -> event.getString("name")).toList();
  }

  List<String> processes() {
    return of("M").stream()
        .filter(event -> event.getString("name").equals("process_name"))
        .map(event -> event.getJsonObject("args").getString("name"))
        .toList();
  }

  /// The complete events of each track.
  Collection<List<JsonObject>> tracks() {
    return of("X").stream().collect(Collectors.groupingBy(TraceFile::track)).values();
  }

  /// Whether one begins within the other and ends after it.
  static boolean cross(JsonObject one, JsonObject other) {
    double rounding = 0.01; // of microseconds
    return one.getDouble("ts") + rounding < other.getDouble("ts")
        && other.getDouble("ts") + rounding < end(one)
        && end(one) + rounding < end(other);
  }
}
