// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the fields of a JSON object from an untrusted source, and checks every value.
record Fields(JsonObject json) {
  private static final int MOST_ENTRIES = 4096;
  private static final int LONGEST_TEXT = 512;

  static JsonObject putThread(JsonObject json, @Nullable ThreadStatus thread) {
    List<String> stack = thread == null ? List.of() : thread.stack();
    return json.put("thread", thread == null ? null : thread.name())
        .put("stack", new JsonArray(stack));
  }

  boolean has(String key) {
    return json.getValue(key) != null;
  }

  String text(String key) {
    return text(key, json.getValue(key));
  }

  /// Replaces control characters, which a terminal would interpret, and rejects long strings.
  private static String text(String key, @Nullable Object value) {
    if (!(value instanceof String text) || text.length() > LONGEST_TEXT) {
      throw refusal(key, "a string of at most " + LONGEST_TEXT + " characters");
    }
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  long whole(String key) {
    return whole(key, json.getValue(key));
  }

  private static long whole(String key, @Nullable Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw refusal(key, "a whole number");
  }

  Fields object(String key) {
    return object(key, json.getValue(key));
  }

  private static Fields object(String key, @Nullable Object value) {
    if (value instanceof JsonObject object && object.size() <= MOST_ENTRIES) {
      return new Fields(object);
    }
    throw refusal(key, "an object");
  }

  private Stream<@Nullable Object> entries(String key) {
    if (json.getValue(key) instanceof JsonArray array && array.size() <= MOST_ENTRIES) {
      return array.stream();
    }
    throw refusal(key, "a list of at most " + MOST_ENTRIES + " entries");
  }

  List<String> texts(String key) {
    return entries(key).map(entry -> text(key, entry)).toList();
  }

  <T> List<T> objects(String key, Function<Fields, T> read) {
    return entries(key).map(entry -> read.apply(object(key, entry))).toList();
  }

  Map<String, Long> counts(String key) {
    Map<String, Long> counts = new TreeMap<>();
    object(key)
        .json
        .forEach(entry -> counts.put(text(key, entry.getKey()), whole(key, entry.getValue())));
    return counts;
  }

  @Nullable ThreadStatus thread() {
    return has("thread") ? ThreadStatus.from(this) : null;
  }

  private static IllegalArgumentException refusal(String key, String expected) {
    return new IllegalArgumentException(
        "this is not the status of a worker: expected "
            + expected
            + " as \""
            + key
            + "\"; start all workers from the same build");
  }
}
