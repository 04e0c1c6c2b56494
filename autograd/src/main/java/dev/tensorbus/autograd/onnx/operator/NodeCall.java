// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Attribute;
import dev.tensorbus.autograd.onnx.graph.GraphNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One application of an operator: the inputs and attributes of a node.
///
/// @param inputs null for an optional input that is absent
/// @param random the source of random numbers in training; null in evaluation mode
public record NodeCall(
    GraphNode node, List<@Nullable Tensor> inputs, @Nullable RandomGenerator random) {
  /// The maximum number of values of a tensor whose sizes are values of the model, so that a few
  /// bytes cannot claim all memory.
  private static final long LARGEST = 1 << 28;

  boolean has(int input) {
    return optional(input) != null;
  }

  @Nullable Tensor optional(int input) {
    return input < inputs.size() ? inputs.get(input) : null;
  }

  Tensor input(int input) {
    Tensor tensor = optional(input);
    if (tensor == null) {
      throw new IllegalArgumentException("input " + input + " is missing");
    }
    return tensor;
  }

  Tensor x() {
    return input(0);
  }

  Tensor y() {
    return input(1);
  }

  /// Returns all inputs, none of which may be absent.
  List<Tensor> all() {
    return IntStream.range(0, inputs.size()).mapToObj(this::input).toList();
  }

  /// Returns the values of an input, which are read in Java: a recorded model cannot change them.
  long[] longs(int input) {
    return input(input).detach().to(DType.INT64).longs();
  }

  /// Returns the values of an input, such as sizes or axes. Values beyond an int, which mean "to
  /// the end", become the largest or smallest one.
  int[] ints(int input) {
    return Arrays.stream(longs(input)).mapToInt(NodeCall::clamped).toArray();
  }

  private static int clamped(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// Returns the only value of an input, or a default if the input is absent.
  double number(int input, double otherwise) {
    return has(input) ? input(input).detach().reshape().itemDouble() : otherwise;
  }

  boolean has(String attribute) {
    return attribute(attribute).isPresent();
  }

  private Optional<Object> attribute(String name) {
    return node.attributes().stream()
        .filter(attribute -> attribute.name().equals(name))
        .map(Attribute::value)
        .findFirst();
  }

  private <T> T attribute(String name, Class<T> type, T otherwise) {
    Object value = attribute(name).orElse(otherwise);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "attribute %s is %s; expected a %s".formatted(name, value, type.getSimpleName()));
    }
    return type.cast(value);
  }

  long longInteger(String name) {
    return attribute(name, Long.class, 0L);
  }

  int integer(String name, int otherwise) {
    return has(name) ? clamped(longInteger(name)) : otherwise;
  }

  boolean flag(String name, boolean otherwise) {
    return integer(name, otherwise ? 1 : 0) != 0;
  }

  double real(String name, double otherwise) {
    Object value = attribute(name).orElse((float) otherwise);
    return value instanceof Float given ? given : attribute(name, Float.class, 0f);
  }

  String text(String name, String otherwise) {
    return attribute(name, String.class, otherwise);
  }

  Tensor tensor(String name) {
    return attribute(name, Tensor.class, Tensor.zeros(0));
  }

  List<?> list(String name) {
    return attribute(name, List.class, List.of());
  }

  /// Returns a list of floats as a tensor of one axis.
  Tensor reals(String name) {
    List<?> list = list(name);
    float[] values = new float[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (Float) list.get(i);
    }
    return Tensor.of(values);
  }

  /// Returns a list of integers, or a default if the attribute is absent.
  int[] integers(String name, int... otherwise) {
    return has(name)
        ? list(name).stream().mapToInt(value -> clamped((Long) value)).toArray()
        : otherwise;
  }

  /// Returns axes, which are an input in newer operator sets and an attribute in older ones.
  int[] axes(int input, int... otherwise) {
    return has(input) ? ints(input) : integers("axes", otherwise);
  }

  /// Returns sizes that the model computed. A size of 0 counts as 1, since indices along the
  /// other axes take memory, too.
  ///
  /// @throws IllegalArgumentException if a size is negative, or there are too many values
  static int[] requireSizes(int... sizes) {
    int[] atLeastOne = Arrays.stream(sizes).map(size -> size == 0 ? 1 : size).toArray();
    if (Shape.of(atLeastOne).numel() > LARGEST) {
      throw new IllegalArgumentException(
          "a result of %s has more than 2^28 values".formatted(Arrays.toString(sizes)));
    }
    return sizes;
  }

  IllegalArgumentException unsupported(String what) {
    return new IllegalArgumentException(what + " is not supported");
  }
}
