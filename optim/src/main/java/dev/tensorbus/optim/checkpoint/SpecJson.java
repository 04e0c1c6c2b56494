// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.optim.OptimizerSpec;
import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Encodes an optimizer's settings, which are a record, as JSON for the manifest: the simple name
/// of the record's class, and each component as a string, which preserves all bits of a number. A
/// component that is itself a record is encoded recursively.
///
/// Decoding creates a record of the same class as the current optimizer's settings, so that a file
/// can never choose which class is loaded.
final class SpecJson {
  private static final String NAME = "name";
  private static final String SETTINGS = "settings";

  private static final Map<Class<?>, Function<String, Object>> TYPES =
      Map.of(
          Boolean.class, SpecJson::truth,
          Byte.class, Byte::valueOf,
          Short.class, Short::valueOf,
          Integer.class, Integer::valueOf,
          Long.class, Long::valueOf,
          Float.class, Float::valueOf,
          Double.class, Double::valueOf,
          String.class, text -> text);

  private SpecJson() {}

  /// @throws CheckpointException if [#decode] would not restore equal settings
  static JsonObject encode(OptimizerSpec spec) {
    JsonObject json = encodeRecord(spec);
    if (!decode(json, spec).equals(spec)) {
      throw unusable(spec, "they would differ after a restore");
    }
    return json;
  }

  private static JsonObject encodeRecord(Object record) {
    JsonObject settings = new JsonObject();
    for (RecordComponent component : components(record)) {
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
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (!TYPES.containsKey(value.getClass())) {
      throw unusable(record, component.getName() + " is a " + value.getClass().getName());
    }
    return value.toString();
  }

  /// Decodes settings into a record of the same class as `like`.
  ///
  /// @throws CheckpointException if the settings belong to another class or are invalid
  static OptimizerSpec decode(JsonObject json, OptimizerSpec like) {
    return (OptimizerSpec) decodeRecord(json, like);
  }

  private static Object decodeRecord(JsonObject json, Object like) {
    String name = ManifestFields.text(json, NAME);
    String expected = like.getClass().getSimpleName();
    if (!expected.equals(name)) {
      throw new CheckpointException("it was saved with %s, expected %s".formatted(name, expected));
    }
    RecordComponent[] components = components(like);
    JsonObject settings = ManifestFields.object(json, SETTINGS);
    ManifestFields.requireNames(
        "settings of " + name,
        settings.fieldNames(),
        Arrays.stream(components).map(RecordComponent::getName).toList(),
        true);
    List<@Nullable Object> values = new ArrayList<>();
    for (RecordComponent component : components) {
      Object saved = settings.getValue(component.getName());
      values.add(decode(name, component, saved, value(like, component)));
    }
    return newRecord(like, components, values);
  }

  private static @Nullable Object decode(
      String record, RecordComponent component, @Nullable Object saved, @Nullable Object like) {
    Class<?> type = MethodType.methodType(component.getType()).wrap().returnType();
    String what = record + "'s " + component.getName();
    if (saved == null && !component.getType().isPrimitive()) {
      return null;
    }
    if (saved instanceof JsonObject json && like instanceof Record inner) {
      return decodeRecord(json, inner);
    }
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

  private static Object newRecord(
      Object like, RecordComponent[] components, List<@Nullable Object> values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return like.getClass().getConstructor(types).newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      throw new CheckpointException(
          "it has settings that %s rejects: %s"
              .formatted(like.getClass().getSimpleName(), e.getCause()),
          e);
    } catch (ReflectiveOperationException e) {
      throw unusable(like, e.toString());
    }
  }

  private static @Nullable Object value(Object record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw unusable(record, e.toString());
    }
  }

  private static RecordComponent[] components(Object record) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    if (components == null) {
      throw unusable(record, "it is not a record");
    }
    return components;
  }

  private static CheckpointException unusable(Object record, String reason) {
    return new CheckpointException(
        ("the settings of %s cannot be saved: %s; make it a public record of numbers, booleans,"
                + " strings, enums and records of these")
            .formatted(record.getClass().getName(), reason));
  }
}
