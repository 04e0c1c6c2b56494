// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Converts nested JSON arrays to tensors and back.
///
/// @param example the shape of one example
record Instances(Shape example) {
  private static final String NAME = "instances";

  /// Returns the examples in a body such as `{"instances": [[1, 2], [3, 4]]}`.
  ///
  /// @throws HttpException if the body has another form
  Tensor read(Buffer body) {
    if (!(json(body) instanceof JsonObject object)
        || !(object.getValue(NAME) instanceof JsonArray examples)) {
      throw new HttpException(
          400, "the body has no array \"instances\"; expected {\"instances\": [example, …]}");
    }
    if (examples.isEmpty()) {
      throw new HttpException(400, "instances is empty; expected at least one example");
    }
    int length = example.elements();
    List<float[]> rows = new ArrayList<>(); // memory in proportion to what has been read
    for (int i = 0; i < examples.size(); i++) {
      float[] row = new float[length];
      int _ = read(examples.getValue(i), 0, 0, row, NAME + "[" + i + "]");
      rows.add(row);
    }
    return tensor(rows, length);
  }

  private Tensor tensor(List<float[]> rows, int length) {
    int[] sizes =
        IntStream.concat(IntStream.of(rows.size()), IntStream.of(example.toArray())).toArray();
    float[] values = new float[rows.size() * length];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, values, i * length, length);
    }
    return Tensor.of(Shape.ofArray(sizes), values);
  }

  private static @Nullable Object json(Buffer body) {
    try {
      return Json.decodeValue(body);
    } catch (DecodeException e) {
      throw new HttpException(400, "the body is not JSON: " + e.getMessage());
    }
  }

  /// Reads the element of one axis, and returns the number of values read so far.
  ///
  /// @param place how the element is reached, for error messages
  private int read(@Nullable Object element, int axis, int done, float[] values, String place) {
    if (axis == example.rank()) {
      values[done] = number(element, place);
      return done + 1;
    }
    int size = example.size(axis);
    if (!(element instanceof JsonArray array)) {
      throw misfit(place, kind(element), "an array of %d elements".formatted(size));
    }
    if (array.size() != size) {
      throw misfit(
          place, "an array of %d elements".formatted(array.size()), Integer.toString(size));
    }
    int next = done;
    for (int i = 0; i < size; i++) {
      next = read(array.getValue(i), axis + 1, next, values, place + "[" + i + "]");
    }
    return next;
  }

  private float number(@Nullable Object element, String place) {
    if (!(element instanceof Number number)) {
      throw misfit(place, kind(element), "a number");
    }
    float value = number.floatValue();
    if (!Float.isFinite(value)) {
      throw misfit(place, number.toString(), "a number in the range of float32");
    }
    return value;
  }

  private static String kind(@Nullable Object element) {
    return switch (element) {
      case null -> "null";
      case JsonArray array -> "an array of %d elements".formatted(array.size());
      case JsonObject _ -> "an object";
      case Boolean _ -> "a boolean";
      case String _ -> "a string";
      default -> "a number";
    };
  }

  private HttpException misfit(String place, String given, String expected) {
    return new HttpException(
        400,
        "%s is %s; expected %s, since an example has the shape %s"
            .formatted(place, given, expected, example));
  }

  /// Returns a tensor as nested arrays.
  ///
  /// @throws IllegalStateException if a value is NaN or infinite, which JSON cannot represent
  static Object write(Tensor tensor) {
    Shape shape = tensor.shape();
    if (shape.rank() == 0) {
      return number(tensor.item());
    }
    JsonArray array = new JsonArray();
    if (shape.rank() == 1) {
      for (float value : tensor.values()) {
        array.add(number(value));
      }
    } else {
      for (int i = 0; i < shape.size(0); i++) {
        array.add(write(tensor.select(0, i)));
      }
    }
    return array;
  }

  private static float number(float value) {
    if (!Float.isFinite(value)) {
      throw new IllegalStateException("the model returned " + value + "; check its weights");
    }
    return value;
  }
}
