// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Builds a graph, node by node.
public final class GraphBuilder {
  private final List<GraphValue> inputs = new ArrayList<>();
  private final Map<String, Tensor> initializers = new LinkedHashMap<>();
  private final List<GraphNode> nodes = new ArrayList<>();
  private final List<GraphValue> outputs = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();
  private int names;

  /// Reserves a name for a value. Inputs, outputs, weights and the results of nodes share one name
  /// space.
  ///
  /// @return whether the name was still free
  public boolean take(String name) {
    return taken.add(name);
  }

  /// Reserves and returns an unused name: `stem` with a numeric suffix.
  public String newName(String stem) {
    String name = stem + "_" + names++;
    return take(name) ? name : newName(stem);
  }

  /// Adds an input.
  public void input(GraphValue value) {
    inputs.add(value);
  }

  /// Adds an output, whose name must be the name of a value in the graph.
  public void output(GraphValue value) {
    outputs.add(value);
  }

  /// Adds an initializer with the given name.
  public void initializer(String name, Tensor value) {
    initializers.put(name, value);
  }

  /// Adds an initializer with a new name and returns the name.
  public String constant(Tensor value) {
    String name = newName("constant");
    initializer(name, value);
    return name;
  }

  /// Adds a node.
  public void node(GraphNode node) {
    nodes.add(node);
  }

  /// Returns the graph.
  public Graph build() {
    return new Graph(
        List.copyOf(inputs),
        new LinkedHashMap<>(initializers),
        List.copyOf(nodes),
        List.copyOf(outputs));
  }
}
