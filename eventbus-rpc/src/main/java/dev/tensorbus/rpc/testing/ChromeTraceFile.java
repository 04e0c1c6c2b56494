// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A Chrome trace file, read according to Google's description of the Trace Event Format.
public final class ChromeTraceFile {
  private static final Set<String> PHASES = Set.of("M", "X", "s", "f");

  /// The tolerance for comparing times: microseconds are written with three decimals, the last of
  /// which may be rounded.
  private static final double ROUNDING = 0.01;

  private final List<JsonObject> events;

  private ChromeTraceFile(JsonObject file) {
    events = file.getJsonArray("traceEvents").stream().map(JsonObject.class::cast).toList();
  }

  /// Reads a file.
  public static ChromeTraceFile read(Path file) throws IOException {
    return new ChromeTraceFile(new JsonObject(Files.readString(file)));
  }

  private List<JsonObject> of(String phase) {
    return events.stream().filter(event -> event.getString("ph").equals(phase)).toList();
  }

  /// Checks the fields of all events, and both ends of each arrow.
  ///
  /// @throws IllegalStateException if the file violates the format
  public void requireValid() {
    Set<String> named =
        of("M").stream()
            .filter(event -> event.getString("name").equals("thread_name"))
            .map(ChromeTraceFile::track)
            .collect(Collectors.toSet());
    for (JsonObject event : events) {
      require(PHASES.contains(event.getString("ph")), "a phase", event);
      require(event.getInteger("pid") > 0 && event.getInteger("tid") != null, "a track", event);
      require(!event.getString("name").isEmpty(), "a name", event);
    }
    for (JsonObject event : of("X")) {
      require(event.getDouble("dur") >= 0, "a duration", event);
      require(named.contains(track(event)), "a track with a name", event);
    }
    require(ids("s").equals(ids("f")), "two ends of each arrow", ids("s"));
    require(Set.copyOf(ids("s")).size() == ids("s").size(), "arrows of one id each", ids("s"));
    of("s").forEach(this::requireEvent);
    of("f").forEach(this::requireEvent);
  }

  private static void require(boolean isSo, String what, Object where) {
    if (!isSo) {
      throw new IllegalStateException("expected " + what + ", found " + where);
    }
  }

  private List<Integer> ids(String phase) {
    return of(phase).stream().map(event -> event.getInteger("id")).toList();
  }

  private void requireEvent(JsonObject end) {
    double time = end.getDouble("ts");
    boolean isThere =
        of("X").stream()
            .filter(event -> track(event).equals(track(end)))
            .anyMatch(event -> event.getDouble("ts") <= time && time <= end(event));
    require(isThere, "an event at an arrow's end", end);
  }

  private static String track(JsonObject event) {
    return event.getInteger("pid") + "/" + event.getInteger("tid");
  }

  private static double end(JsonObject event) {
    return event.getDouble("ts") + event.getDouble("dur");
  }

  /// Returns the number of arrows with this name.
  public long arrows(String name) {
    return of("s").stream().filter(event -> event.getString("name").equals(name)).count();
  }

  /// Returns the names of the events that have a duration.
  public List<String> names() {
    return of("X").stream().map(event -> event.getString("name")).toList();
  }

  /// Returns the names of the processes.
  public List<String> processes() {
    return of("M").stream()
        .filter(event -> event.getString("name").equals("process_name"))
        .map(event -> event.getJsonObject("args").getString("name"))
        .toList();
  }

  /// Counts the pairs of events on one track in which one event starts within the other and ends
  /// after it. Viewers cannot show such events.
  public long overlaps() {
    Collection<List<JsonObject>> tracks =
        of("X").stream().collect(Collectors.groupingBy(ChromeTraceFile::track)).values();
    return tracks.stream()
        .mapToLong(
            track ->
                track.stream()
                    .mapToLong(one -> track.stream().filter(other -> cross(one, other)).count())
                    .sum())
        .sum();
  }

  private static boolean cross(JsonObject one, JsonObject other) {
    return one.getDouble("ts") + ROUNDING < other.getDouble("ts")
        && other.getDouble("ts") + ROUNDING < end(one)
        && end(one) + ROUNDING < end(other);
  }
}
