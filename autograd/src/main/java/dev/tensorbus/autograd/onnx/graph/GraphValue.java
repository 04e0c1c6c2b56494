// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/// A named value with its type and shape.
///
/// @param sizes the size of each axis: a decimal number, or a name for a variable size
public record GraphValue(String name, DType type, List<String> sizes) {
  /// Returns a value of fixed shape.
  public static GraphValue of(String name, DType type, Shape shape) {
    return new GraphValue(
        name, type, Arrays.stream(shape.toArray()).mapToObj(Integer::toString).toList());
  }

  GraphValue renamed(UnaryOperator<String> names) {
    return new GraphValue(names.apply(name), type, sizes);
  }

  /// Writes a ValueInfoProto. Field numbers: ValueInfoProto name 1, type 2; TypeProto tensor_type
  /// 1; TypeProto.Tensor elem_type 1, shape 2; TensorShapeProto dim 1; Dimension dim_value 1,
  /// dim_param 2.
  void write(ProtoWriter writer) {
    writer.text(1, name);
    writer.message(
        2,
        type ->
            type.message(
                1,
                tensor -> {
                  tensor.number(1, TensorBytes.code(this.type));
                  tensor.message(2, shape -> sizes.forEach(size -> writeSize(shape, size)));
                }));
  }

  private static void writeSize(ProtoWriter shape, String size) {
    boolean isNumber = size.chars().allMatch(Character::isDigit);
    shape.message(
        1,
        dim -> {
          if (isNumber) {
            dim.number(1, Long.parseLong(size));
          } else {
            dim.text(2, size);
          }
        });
  }
}
