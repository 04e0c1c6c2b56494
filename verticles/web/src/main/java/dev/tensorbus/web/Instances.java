// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The examples in the JSON body of a request, such as `{"instances": [[1, 2], [3, 4]]}`: nested
/// arrays of numbers.
///
/// @param name the name of the array
/// @param example the shape of one example
/// @param dtype the type of the values: float32 or int64
record Instances(String name, Shape example, DType dtype) {
  /// @throws IllegalArgumentException if the type is neither float32 nor int64
  public Instances {
    if (dtype != DType.FLOAT32 && dtype != DType.INT64) {
      throw new IllegalArgumentException(
          "%s: examples are %s; expected float32 or int64".formatted(name, dtype));
    }
  }

  /// Returns the JSON value of a body.
  ///
  /// @throws HttpException with the status 400 if the body is not JSON
  static @Nullable Object decode(Buffer body) {
    try {
      return Json.decodeValue(body);
    } catch (DecodeException e) {
      throw new HttpException(400, "the body is not JSON: " + e.getMessage());
    }
  }

  /// Returns the examples in a body as `[n, …]`.
  ///
  /// @throws HttpException with the status 400 and one line, if the body has another form
  Tensor read(@Nullable Object body) {
    if (!(body instanceof JsonObject object)
        || !(object.getValue(name) instanceof JsonArray examples)) {
      throw new HttpException(
          400, "the body has no array \"%1$s\"; expected {\"%1$s\": [example, …]}".formatted(name));
    }
    if (examples.isEmpty()) {
      throw new HttpException(400, name + " is empty; expected at least one example");
    }
    List<Number> values = new ArrayList<>(); // memory in proportion to what has been read
    int[] place = new int[1 + example.rank()];
    for (int i = 0; i < examples.size(); i++) {
      place[0] = i;
      read(examples.getValue(i), 0, values, place);
    }
    int[] sizes =
        IntStream.concat(IntStream.of(examples.size()), IntStream.of(example.toArray())).toArray();
    return tensor(Shape.ofArray(sizes), values);
  }

  private Tensor tensor(Shape shape, List<Number> values) {
    if (dtype == DType.INT64) {
      return Tensor.of(shape, values.stream().mapToLong(Number::longValue).toArray());
    }
    float[] floats = new float[values.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values.get(i).floatValue();
    }
    return Tensor.of(shape, floats);
  }

  /// Reads the element of one axis.
  ///
  /// @param place the indices of the element, of which there is one more than `axis`
  private void read(@Nullable Object element, int axis, List<Number> values, int[] place) {
    if (axis == example.rank()) {
      values.add(number(element, place));
      return;
    }
    int size = example.size(axis);
    if (!(element instanceof JsonArray array)) {
      throw misfit(place, axis, kind(element), "an array of %d elements".formatted(size));
    }
    if (array.size() != size) {
      throw misfit(
          place, axis, "an array of %d elements".formatted(array.size()), Integer.toString(size));
    }
    for (int i = 0; i < size; i++) {
      place[axis + 1] = i;
      read(array.getValue(i), axis + 1, values, place);
    }
  }

  private Number number(@Nullable Object element, int[] place) {
    int axis = example.rank();
    if (!(element instanceof Number number)) {
      throw misfit(place, axis, kind(element), "a number");
    }
    if (dtype == DType.INT64 && !isInt64(number)) {
      throw misfit(place, axis, number.toString(), "a whole number in the range of int64");
    }
    if (!Float.isFinite(number.floatValue())) {
      throw misfit(place, axis, number.toString(), "a number in the range of float32");
    }
    return number;
  }

  private static boolean isInt64(Number number) {
    try {
      return new BigDecimal(number.toString()).longValueExact() == number.longValue();
    } catch (ArithmeticException | NumberFormatException e) { // a fraction, too large, infinite
      return false;
    }
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

  private HttpException misfit(int[] place, int axis, String given, String expected) {
    String indices =
        Arrays.stream(place, 0, axis + 1).mapToObj("[%d]"::formatted).collect(Collectors.joining());
    return new HttpException(
        400,
        "%s%s is %s; expected %s, since an example has the shape %s"
            .formatted(name, indices, given, expected, example));
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
