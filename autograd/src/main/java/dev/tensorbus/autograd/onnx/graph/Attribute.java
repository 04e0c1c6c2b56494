// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.file.ProtoReader;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An attribute of a node.
///
/// @param value a `Long`, a `List<Long>`, a `Float`, a `String` or a `List<String>`; if it was
///     read, also a `List<Float>`, a [dev.tensorbus.autograd.Tensor], or for a kind that no
///     supported operator has, such as a subgraph, an empty list
public record Attribute(String name, Object value) {
  private static final int FLOAT = 1;
  private static final int INT = 2;
  private static final int STRING = 3;
  private static final int TENSOR = 4;
  private static final int FLOATS = 6;
  private static final int INTS = 7;
  private static final int STRINGS = 8;

  /// Writes an AttributeProto. Field numbers: name 1, f 2, i 3, s 4, ints 8, strings 9, type 20.
  void write(ProtoWriter writer) {
    writer.text(1, name);
    switch (value) {
      case Float real -> writer.float32(2, real).number(20, FLOAT);
      case Long number -> writer.number(3, number).number(20, INT);
      case String text -> writer.text(4, text).number(20, STRING);
      case List<?> list -> {
        list.forEach(each -> writeElement(writer, each));
        boolean texts = !list.isEmpty() && list.getFirst() instanceof String;
        writer.number(20, texts ? STRINGS : INTS);
      }
      default -> throw new IllegalArgumentException("unsupported attribute: " + value);
    }
  }

  private static void writeElement(ProtoWriter writer, Object element) {
    if (element instanceof String text) {
      writer.text(9, text);
    } else {
      writer.number(8, (Long) element);
    }
  }

  /// Reads an AttributeProto. Field numbers as above, and t 5, floats 7. Each kind has a field, and
  /// the type says which of them is the value.
  static Attribute read(ProtoReader reader, InitializerReader tensors) {
    String name = "";
    long type = 0;
    Float real = 0f; // a writer leaves out a value of 0
    Long number = 0L;
    String text = "";
    Object tensor = List.of();
    List<Float> reals = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> name = reader.text();
        case 2 -> real = reader.float32();
        case 3 -> number = reader.number();
        case 4 -> text = reader.text();
        case 5 -> tensor = tensors.read(reader.message()).tensor();
        case 7 -> reals.addAll(reader.float32s());
        case 8 -> Arrays.stream(reader.numbers()).forEach(numbers::add);
        case 9 -> texts.add(reader.text());
        case 20 -> type = reader.number();
        default -> {}
      }
    }
    return new Attribute(
        name,
        switch ((int) type) {
          case FLOAT -> real;
          case INT -> number;
          case STRING -> text;
          case TENSOR -> tensor;
          case FLOATS -> List.copyOf(reals);
          case INTS -> List.copyOf(numbers);
          case STRINGS -> List.copyOf(texts);
          default -> List.of();
        });
  }
}
