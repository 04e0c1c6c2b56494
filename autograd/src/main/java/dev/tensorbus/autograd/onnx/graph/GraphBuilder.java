// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Puts a graph together, node after node.
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
  /// @return whether the name was free
  public boolean take(String name) {
    return taken.add(name);
  }

  /// Reserves a name that no value has yet: `stem` with a number.
  public String newName(String stem) {
    String name = stem + "_" + names++;
    return take(name) ? name : newName(stem);
  }

  /// Adds an input.
  public void input(GraphValue value) {
    inputs.add(value);
  }

  /// Adds an output, which is the name of a value.
  public void output(GraphValue value) {
    outputs.add(value);
  }

  /// Adds a value under this name.
  public void initializer(String name, Tensor value) {
    initializers.put(name, value);
  }

  /// Adds a value that nodes refer to, and gives its name.
  public String constant(Tensor value) {
    String name = newName("constant");
    initializer(name, value);
    return name;
  }

  /// Adds a node.
  public void node(GraphNode node) {
    nodes.add(node);
  }

  /// The graph.
  public Graph build() {
    return new Graph(
        List.copyOf(inputs),
        new LinkedHashMap<>(initializers),
        List.copyOf(nodes),
        List.copyOf(outputs));
  }
}
