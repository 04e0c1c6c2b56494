// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Puts a graph together, node after node.
public final class GraphBuilder {
  private final List<GraphValue> inputs = new ArrayList<>();
  private final Map<String, Tensor> initializers = new LinkedHashMap<>();
  private final List<GraphNode> nodes = new ArrayList<>();
  private final List<GraphValue> outputs = new ArrayList<>();
  private final String prefix;
  private int names;

  /// A graph without anything.
  public GraphBuilder() {
    this("");
  }

  /// A graph whose new names begin with `prefix`, unlike those of another graph that becomes part
  /// of it.
  public GraphBuilder(String prefix) {
    this.prefix = prefix;
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

  /// A name that no value has yet.
  public String newName(String stem) {
    return prefix + stem + "_" + names++;
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
