// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.ProtoReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the tensors of a model, from the model's file or from files beside it.
///
/// The number of values that the sizes claim is compared with the bytes that are there before
/// memory is allocated.
final class InitializerReader {
  private static final int EXTERNAL = 1;

  private final ExternalFiles files;

  InitializerReader(ExternalFiles files) {
    this.files = files;
  }

  record Named(String name, Tensor tensor) {}

  /// Reads a TensorProto. Field numbers: dims 1, data_type 2, float_data 4, int32_data 5,
  /// int64_data 7, name 8, raw_data 9, double_data 10, external_data 13, data_location 14.
  Named read(ProtoReader reader) {
    List<Long> sizes = new ArrayList<>();
    String name = "";
    int code = 0;
    long location = 0;
    ByteBuffer raw = null;
    HeapStorage listed = null;
    Map<String, String> external = new HashMap<>();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> Arrays.stream(reader.numbers()).forEach(sizes::add);
        case 2 -> code = (int) reader.number();
        case 4 -> listed = Element.FLOAT.decode(reader.raw());
        case 5, 7 -> listed = HeapStorage.of(reader.numbers());
        case 8 -> name = reader.text();
        case 9 -> raw = reader.raw();
        case 10 -> listed = Element.DOUBLE.decode(reader.raw());
        case 13 -> pair(reader.message(), external);
        case 14 -> location = reader.number();
        default -> {}
      }
    }
    try {
      Element element = Element.of(code);
      Shape shape = shape(sizes);
      if (location == EXTERNAL) {
        raw = files.bytes(external, (long) shape.elements() * element.width());
      }
      Tensor tensor = Tensor.ofStorage(shape, values(element, shape, raw, listed));
      return new Named(name, tensor.to(element.computed()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("tensor \"" + name + "\" " + e.getMessage(), e);
    }
  }

  private static void pair(ProtoReader reader, Map<String, String> pairs) {
    String key = "";
    String value = "";
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> key = reader.text();
        case 2 -> value = reader.text();
        default -> {}
      }
    }
    pairs.put(key, value);
  }

  private static Shape shape(List<Long> sizes) {
    try {
      return Shape.ofArray(sizes.stream().mapToInt(Math::toIntExact).toArray());
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has the sizes "
              + sizes
              + "; expected sizes that are not negative, and at most 2^31 - 1 values",
          e);
    }
  }

  private static HeapStorage values(
      Element element, Shape shape, @Nullable ByteBuffer raw, @Nullable HeapStorage listed) {
    long needed = (long) shape.elements() * element.width();
    long found =
        raw != null
            ? raw.remaining()
            : listed == null ? 0 : (long) listed.length() * element.width();
    if (found != needed) {
      throw new IllegalArgumentException(
          "has %d bytes of values; its type %s and sizes %s need %d"
              .formatted(found, element, shape, needed));
    }
    if (raw != null) {
      return element.decode(raw);
    }
    return listed == null ? HeapStorage.zeros(element.type(), 0) : element.convert(listed);
  }
}
