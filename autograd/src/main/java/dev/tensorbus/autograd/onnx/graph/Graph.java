// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /// Returns the names of the operators of all nodes.
  public Set<String> operators() {
    return nodes.stream()
        .map(GraphNode::operator)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /// Describes the first difference between two graphs, or returns null if they are equal.
  public @Nullable String difference(Graph other) {
    for (int i = 0; i < Math.min(nodes.size(), other.nodes.size()); i++) {
      GraphNode node = nodes.get(i);
      if (!node.computesAs(other.nodes.get(i))) {
        return "operation %d is %s and %s".formatted(i, node.origin(), other.nodes.get(i).origin());
      }
      for (String input : node.inputs()) {
        Tensor value = initializers.get(input);
        Tensor another = other.initializers.get(input);
        if (value != null && another != null && !isSame(value, another)) {
          return "%s computes with a constant that changes, %s and %s; make it an input"
              .formatted(node.origin(), value, another);
        }
      }
    }
    boolean isSame =
        nodes.size() == other.nodes.size()
            && inputs.equals(other.inputs)
            && outputs.equals(other.outputs)
            && initializers.keySet().equals(other.initializers.keySet());
    return isSame ? null : "%d and %d operations".formatted(nodes.size(), other.nodes.size());
  }

  private static boolean isSame(Tensor value, Tensor other) {
    return value.dtype() == other.dtype()
        && value.shape().equals(other.shape())
        && Arrays.equals(TensorBytes.of(value), TensorBytes.of(other));
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
