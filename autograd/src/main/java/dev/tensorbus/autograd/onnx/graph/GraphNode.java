// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.file.ProtoWriter;
import java.util.List;
import java.util.function.UnaryOperator;

/// One application of an operator.
///
/// @param operator the name of the operator in ONNX
/// @param origin the Tensorbus operation that this node implements, alone or with other nodes
/// @param inputs the names of the input values; the empty string for an optional input that is
///     absent
/// @param outputs the names of the results
public record GraphNode(
    String operator,
    String origin,
    List<String> inputs,
    List<String> outputs,
    List<Attribute> attributes) {
  GraphNode renamed(UnaryOperator<String> names) {
    return new GraphNode(
        operator,
        origin,
        inputs.stream().map(names).toList(),
        outputs.stream().map(names).toList(),
        attributes);
  }

  /// Writes a NodeProto. Field numbers: input 1, output 2, name 3, op_type 4, attribute 5.
  void write(ProtoWriter writer) {
    inputs.forEach(input -> writer.text(1, input));
    outputs.forEach(output -> writer.text(2, output));
    writer.text(3, "node." + outputs.getFirst()).text(4, operator);
    attributes.forEach(attribute -> writer.message(5, attribute::write));
  }
}
