// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A graph that was read: every value has one origin, and nodes use only values before them.
///
/// @param inputs the names of the values that a caller passes
/// @param outputs the names of the results
public record LoadedGraph(
    List<String> inputs,
    Map<String, Tensor> initializers,
    List<GraphNode> nodes,
    List<String> outputs) {
  private static final int LISTED = 5;

  /// @throws IllegalArgumentException if a value is computed twice, or used before it is computed
  public LoadedGraph {
    Set<String> known = new HashSet<>();
    inputs.forEach(name -> define(known, name));
    initializers.keySet().forEach(name -> define(known, name));
    for (GraphNode node : nodes) {
      for (String name : node.inputs()) {
        require(name.isEmpty() || known.contains(name), "node " + node.origin(), name);
      }
      node.outputs().stream().filter(name -> !name.isEmpty()).forEach(name -> define(known, name));
    }
    outputs.forEach(name -> require(known.contains(name), "the list of outputs", name));
  }

  private static void define(Set<String> known, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a tensor or an input has no name");
    }
    if (!known.add(name)) {
      throw new IllegalArgumentException("two values are named \"" + name + "\"");
    }
  }

  private static void require(boolean isKnown, String user, String name) {
    if (!isKnown) {
      throw new IllegalArgumentException(
          "%s uses the value \"%s\", which nothing before it defines".formatted(user, name));
    }
  }

  /// Returns the part of the graph that computes the named values, which become its outputs.
  ///
  /// @throws IllegalArgumentException if there is no such value
  public LoadedGraph until(List<String> names) {
    Set<String> needed = new HashSet<>(names);
    List<GraphNode> some = new ArrayList<>();
    for (GraphNode node : nodes.reversed()) {
      if (node.outputs().stream().anyMatch(needed::contains)) {
        some.add(node);
        needed.addAll(node.inputs());
      }
    }
    Map<String, Tensor> values = new LinkedHashMap<>(initializers);
    values.keySet().retainAll(needed);
    requireComputed(names, some);
    return new LoadedGraph(
        inputs.stream().filter(needed::contains).toList(),
        values,
        List.copyOf(some.reversed()),
        names);
  }

  private void requireComputed(List<String> names, List<GraphNode> some) {
    List<String> computed = some.stream().flatMap(node -> node.outputs().stream()).toList();
    for (String name : names) {
      if (!computed.contains(name)) {
        List<String> last =
            nodes.reversed().stream().limit(LISTED).map(node -> node.outputs().getFirst()).toList();
        throw new IllegalArgumentException(
            "no node computes \"%s\"; the last values are %s".formatted(name, last.reversed()));
      }
    }
  }
}
