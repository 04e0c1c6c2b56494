// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads required JSON fields and checks their types.
final class ManifestFields {
  private ManifestFields() {}

  static JsonObject object(JsonObject json, String name) {
    return require(json.getValue(name), JsonObject.class, name, "an object");
  }

  static JsonArray array(JsonObject json, String name) {
    return require(json.getValue(name), JsonArray.class, name, "an array");
  }

  static String text(JsonObject json, String name) {
    return require(json.getValue(name), String.class, name, "a string");
  }

  /// Returns a non-negative integer.
  static long count(@Nullable Object value, String name) {
    long count =
        value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : -1;
    if (count < 0) {
      throw unexpected(value, name, "a whole number of 0 or more");
    }
    return count;
  }

  /// @param what name of the field or description of the value
  static <T> T require(@Nullable Object value, Class<T> type, String what, String expected) {
    if (!type.isInstance(value)) {
      throw unexpected(value, what, expected);
    }
    return type.cast(value);
  }

  private static CheckpointException unexpected(
      @Nullable Object value, String what, String expected) {
    return new CheckpointException("%s is %s, expected %s".formatted(what, value, expected));
  }

  /// @param isWhole whether no other names are allowed
  static void requireNames(
      String what, Collection<String> saved, Collection<String> expected, boolean isWhole) {
    Set<String> names = Set.copyOf(saved);
    if (!names.containsAll(expected) || (isWhole && names.size() != expected.size())) {
      throw new CheckpointException(
          "it has the %s %s, expected %s"
              .formatted(what, new TreeSet<>(saved), new TreeSet<>(expected)));
    }
  }
}
