// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.file.ProtoWriter;
import java.util.List;

/// An attribute of a node.
///
/// @param value a `Long`, a `List<Long>`, a `Float`, a `String` or a `List<String>`
record Attribute(String name, Object value) {
  private static final int FLOAT = 1;
  private static final int INT = 2;
  private static final int STRING = 3;
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
}
