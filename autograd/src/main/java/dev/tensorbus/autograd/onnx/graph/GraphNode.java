// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.file.ProtoReader;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// One application of an operator.
///
/// @param operator the name of the operator in ONNX, after its domain and a dot unless that is
///     ONNX's own
/// @param origin the Tensorbus operation that this node implements, alone or with other nodes; for
///     a node that was read, its own name
/// @param inputs the names of the input values; the empty string for an optional input that is
///     absent
/// @param outputs the names of the results
public record GraphNode(
    String operator,
    String origin,
    List<String> inputs,
    List<String> outputs,
    List<Attribute> attributes) {
  /// Returns whether two nodes are equal, whatever lines of a program they come from.
  boolean computesAs(GraphNode other) {
    return operator.equals(other.operator)
        && inputs.equals(other.inputs)
        && outputs.equals(other.outputs)
        && attributes.equals(other.attributes);
  }

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

  /// Reads a NodeProto. Field numbers as above, and domain 7.
  static GraphNode read(ProtoReader reader, InitializerReader tensors) {
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    List<Attribute> attributes = new ArrayList<>();
    String name = "";
    String operator = "";
    String domain = "";
    while (reader.next()) {
      switch (reader.field()) {
        case 1 -> inputs.add(reader.text());
        case 2 -> outputs.add(reader.text());
        case 3 -> name = reader.text();
        case 4 -> operator = reader.text();
        case 5 -> attributes.add(Attribute.read(reader.message(), tensors));
        case 7 -> domain = reader.text();
        default -> {}
      }
    }
    if (operator.isEmpty() || outputs.isEmpty()) {
      throw new IllegalArgumentException("node \"" + name + "\" has no operator or no output");
    }
    return new GraphNode(
        domain.isEmpty() || domain.equals("ai.onnx") ? operator : domain + "." + operator,
        name.isEmpty() ? outputs.getFirst() : name,
        List.copyOf(inputs),
        List.copyOf(outputs),
        List.copyOf(attributes));
  }
}
