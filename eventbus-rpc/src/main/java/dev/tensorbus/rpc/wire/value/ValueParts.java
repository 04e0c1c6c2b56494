// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Splits composite values, such as records and collections, into their parts.
final class ValueParts {
  /// The maximum depth of nested values, which is limited because the receiver reads them
  /// recursively.
  static final int MOST_LEVELS = 64;

  private static final ClassValue<List<Method>> ACCESSORS =
      new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
          return Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getAccessor)
              .filter(Method::trySetAccessible)
              .toList();
        }
      };

  private ValueParts() {}

  /// Returns the parts of a value in order, or none for an atomic value. In a map, each key
  /// precedes its value.
  static Collection<? extends @Nullable Object> of(@Nullable Object value) {
    return switch (value) {
      case Object[] array -> Arrays.asList(array);
      case Collection<?> collection -> collection;
      case Record whole -> components(whole);
      case Map<?, ?> map -> entries(map);
      case JsonObject json -> entries(json.getMap());
      case JsonArray json -> json.getList();
      case Optional<?> optional -> optional.stream().toList();
      case Map.Entry<?, ?> entry -> Arrays.asList(entry.getKey(), entry.getValue());
      case null, default -> List.of();
    };
  }

  private static List<@Nullable Object> components(Record whole) {
    List<@Nullable Object> components = new ArrayList<>();
    for (Method accessor : ACCESSORS.get(whole.getClass())) {
      try {
        components.add(accessor.invoke(whole));
      } catch (ReflectiveOperationException e) {
        components.add(null); // unreadable components are not checked
      }
    }
    return components;
  }

  private static List<@Nullable Object> entries(Map<?, ?> map) {
    List<@Nullable Object> entries = new ArrayList<>(2 * map.size());
    map.forEach(
        (key, value) -> {
          entries.add(key);
          entries.add(value);
        });
    return entries;
  }

  /// Returns the path from a value to one of its parts, in Java syntax.
  static String name(Object value, int part) {
    if (value instanceof Record) {
      return "." + ACCESSORS.get(value.getClass()).get(part).getName();
    }
    boolean isMap = value instanceof Map || value instanceof JsonObject;
    if (!isMap) {
      return "[" + part + "]";
    }
    return part % 2 == 0
        ? ".keySet()[" + part / 2 + "]"
        : "[" + new ArrayList<>(of(value)).get(part - 1) + "]";
  }

  /// Returns whether the receiver can read what Fory would write: values nested at most
  /// [#MOST_LEVELS] deep, and no code.
  static boolean areReadable(@Nullable Object value) {
    return areReadable(value, MOST_LEVELS, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /// Returns whether a value is a lambda or a method reference.
  static boolean isCode(@Nullable Object value) {
    return value != null && value.getClass().isHidden();
  }

  /// Checks each value only once, even if it occurs several times, since it is also sent only once.
  private static boolean areReadable(
      @Nullable Object value, int levels, Set<@Nullable Object> seen) {
    if (levels == 0 || isCode(value)) {
      return false;
    }
    Collection<? extends @Nullable Object> parts = of(value);
    if (!parts.isEmpty() && seen.add(value)) {
      for (Object part : parts) {
        if (!areReadable(part, levels - 1, seen)) {
          return false;
        }
      }
    }
    return true;
  }
}
