// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// An ONNX graph: inputs, nodes in the order of computation, and outputs.
///
/// @param initializers values stored in the model, by name: weights and constants
public record Graph(
    List<GraphValue> inputs,
    Map<String, Tensor> initializers,
    List<GraphNode> nodes,
    List<GraphValue> outputs) {
  /// Returns the names of all values.
  public Stream<String> names() {
    return Stream.of(
            inputs.stream().map(GraphValue::name),
            initializers.keySet().stream(),
            nodes.stream().flatMap(node -> node.outputs().stream()),
            outputs.stream().map(GraphValue::name))
        .flatMap(names -> names);
  }

  /// Returns a copy with renamed inputs, outputs and results of nodes. Initializers are not
  /// renamed.
  public Graph renamed(UnaryOperator<String> names) {
    return new Graph(
        inputs.stream().map(value -> value.renamed(names)).toList(),
        initializers,
        nodes.stream().map(node -> node.renamed(names)).toList(),
        outputs.stream().map(value -> value.renamed(names)).toList());
  }

  /// Returns a copy in which the inputs named in the map are initializers with the given values.
  public Graph withValues(Map<String, Tensor> values) {
    Map<String, Tensor> all = new LinkedHashMap<>(values);
    all.putAll(initializers);
    return new Graph(
        inputs.stream().filter(input -> !values.containsKey(input.name())).toList(),
        all,
        nodes,
        outputs);
  }
}
