// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.optim.OptimizerSpec;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An optimizer's settings in a manifest: its name, and each component of its record. The
/// text that is read becomes a record of the class that is there already; a file names no class to
/// load.
final class SpecJson {
  private static final String NAME = "optimizer";

  private SpecJson() {}

  static JsonObject encode(OptimizerSpec spec) {
    JsonObject json = new JsonObject().put(NAME, spec.getClass().getSimpleName());
    for (RecordComponent component : components(spec)) {
      try {
        json.put(component.getName(), component.getAccessor().invoke(spec));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw unusable(spec, e);
      }
    }
    return json;
  }

  /// The settings that were saved, of the kind of `like`.
  static OptimizerSpec decode(JsonObject json, OptimizerSpec like) {
    String expected = like.getClass().getSimpleName();
    if (!expected.equals(json.getString(NAME))) {
      throw new CheckpointException(
          "it was saved with %s, expected %s".formatted(json.getString(NAME), expected));
    }
    RecordComponent[] components = components(like);
    List<Object> values = new ArrayList<>();
    for (RecordComponent component : components) {
      values.add(value(json, component));
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return like.getClass().getConstructor(types).newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw unusable(like, e);
    }
  }

  private static Object value(JsonObject json, RecordComponent component) {
    Object value = json.getValue(component.getName());
    if (component.getType() == boolean.class && value instanceof Boolean) {
      return value;
    }
    if (component.getType() == double.class && value instanceof Number number) {
      return number.doubleValue();
    }
    throw new CheckpointException(
        "%s's %s is %s, expected a %s"
            .formatted(json.getString(NAME), component.getName(), value, component.getType()));
  }

  private static RecordComponent[] components(OptimizerSpec spec) {
    RecordComponent[] components = spec.getClass().getRecordComponents();
    if (components == null) {
      throw unusable(spec, new IllegalArgumentException("no record"));
    }
    return components;
  }

  private static CheckpointException unusable(OptimizerSpec spec, Exception cause) {
    return new CheckpointException(
        "the settings of %s cannot be kept; make it a public record of numbers and booleans"
            .formatted(spec.getClass().getName()),
        cause);
  }
}
