// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Encodes settings, which are a record, as JSON for the manifest: the simple name of the record's
/// class, and each component as a string, which preserves all bits of a number. Components that are
/// records or lists are encoded recursively.
///
/// Decoding creates a record of a class that the caller gives, so that a file can never choose
/// which class is loaded.
final class RecordJson {
  private static final String NAME = "name";
  private static final String SETTINGS = "settings";

  private static final Map<Class<?>, Function<String, Object>> TYPES =
      Map.of(
          Boolean.class, RecordJson::truth,
          Byte.class, Byte::valueOf,
          Short.class, Short::valueOf,
          Integer.class, Integer::valueOf,
          Long.class, Long::valueOf,
          Float.class, Float::valueOf,
          Double.class, Double::valueOf,
          String.class, text -> text);

  private RecordJson() {}

  /// @throws CheckpointException if [#decode] would not restore equal settings
  static JsonObject encode(Object record) {
    JsonObject json = encodeRecord(record);
    if (!decode(json, record).equals(record)) {
      throw unusable(record.getClass(), "they would differ after a restore");
    }
    return json;
  }

  private static JsonObject encodeRecord(Object record) {
    JsonObject settings = new JsonObject();
    for (RecordComponent component : components(record.getClass())) {
      settings.put(component.getName(), encode(record, component, value(record, component)));
    }
    return new JsonObject().put(NAME, record.getClass().getSimpleName()).put(SETTINGS, settings);
  }

  private static @Nullable Object encode(
      Object record, RecordComponent component, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof Record inner) {
      return encodeRecord(inner);
    }
    if (value instanceof List<?> list) {
      JsonArray array = new JsonArray();
      list.forEach(element -> array.add(encode(record, component, element)));
      return array;
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (!TYPES.containsKey(value.getClass())) {
      throw unusable(
          record.getClass(), component.getName() + " is a " + value.getClass().getName());
    }
    return value.toString();
  }

  /// Decodes settings into a record of the same class as `like`.
  ///
  /// @throws CheckpointException if the settings belong to another class or are invalid
  static <R> R decode(JsonObject json, R like) {
    @SuppressWarnings("unchecked") // the class of a value of type R
    Class<R> type = (Class<R>) like.getClass();
    return decode(json, type, like);
  }

  /// Decodes settings into a record of a class, whose components are of concrete types.
  ///
  /// @throws CheckpointException if the settings belong to another class or are invalid
  static <R> R decode(JsonObject json, Class<R> type) {
    return decode(json, type, null);
  }

  /// @param like a record of the class, whose components have the classes of the result's; null if
  ///     these are the declared ones
  private static <R> R decode(JsonObject json, Class<R> type, @Nullable Object like) {
    String name = ManifestFields.text(json, NAME);
    String expected = type.getSimpleName();
    if (!expected.equals(name)) {
      throw new CheckpointException("it was saved with %s, expected %s".formatted(name, expected));
    }
    RecordComponent[] components = components(type);
    JsonObject settings = ManifestFields.object(json, SETTINGS);
    ManifestFields.requireNames(
        "settings of " + name,
        settings.fieldNames(),
        Arrays.stream(components).map(RecordComponent::getName).toList(),
        true);
    List<@Nullable Object> values = new ArrayList<>();
    for (RecordComponent component : components) {
      Object saved = settings.getValue(component.getName());
      Object inner = like == null ? null : value(like, component);
      String what = name + "'s " + component.getName();
      values.add(decode(what, component.getGenericType(), saved, inner));
    }
    return newRecord(type, components, values);
  }

  private static @Nullable Object decode(
      String what, Type declared, @Nullable Object saved, @Nullable Object like) {
    if (saved instanceof JsonArray array && declared instanceof ParameterizedType list) {
      return decodeList(what, list.getActualTypeArguments()[0], array, like);
    }
    Class<?> raw = raw(declared);
    if (saved == null && !raw.isPrimitive()) {
      return null;
    }
    if (saved instanceof JsonObject json) {
      return like == null ? decode(json, raw, null) : decode(json, like);
    }
    Class<?> type = MethodType.methodType(raw).wrap().returnType();
    String text = ManifestFields.require(saved, String.class, what, "a string");
    try {
      return type.isEnum()
          ? constant(type, text)
          : TYPES.getOrDefault(type, _ -> none()).apply(text);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(
          "%s is \"%s\", expected a value of type %s".formatted(what, text, type.getSimpleName()),
          e);
    }
  }

  private static List<@Nullable Object> decodeList(
      String what, Type element, JsonArray saved, @Nullable Object like) {
    List<?> elements = like instanceof List<?> list ? list : List.of();
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < saved.size(); i++) {
      Object inner = i < elements.size() ? elements.get(i) : null;
      values.add(decode(what, element, saved.getValue(i), inner));
    }
    return values;
  }

  private static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType generic -> raw(generic.getRawType());
      default -> Object.class;
    };
  }

  private static Object none() {
    throw new IllegalArgumentException("no such type");
  }

  private static Object truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }

  private static Object constant(Class<?> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> ((Enum<?>) constant).name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name));
  }

  private static <R> R newRecord(
      Class<R> type, RecordComponent[] components, List<@Nullable Object> values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getConstructor(types).newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      throw new CheckpointException(
          "it has settings that %s rejects: %s".formatted(type.getSimpleName(), e.getCause()), e);
    } catch (ReflectiveOperationException e) {
      throw unusable(type, e.toString());
    }
  }

  private static @Nullable Object value(Object record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw unusable(record.getClass(), e.toString());
    }
  }

  private static RecordComponent[] components(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw unusable(type, "it is not a record");
    }
    return components;
  }

  private static CheckpointException unusable(Class<?> type, String reason) {
    return new CheckpointException(
        ("the settings of %s cannot be saved: %s; make it a public record of numbers, booleans,"
                + " strings, enums, and records and lists of these")
            .formatted(type.getName(), reason));
  }
}
