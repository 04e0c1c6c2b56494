// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.OnnxNode;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;

/// Adds the nodes of one operation to a graph, each node once.
public final class OnnxEmitter {
  private final GraphBuilder graph;
  private final String stem;
  private final String origin;
  private final List<String> inputs;
  private final IdentityHashMap<Tensor, String> constants = new IdentityHashMap<>();
  private final IdentityHashMap<OnnxNode, List<String>> nodes = new IdentityHashMap<>();

  /// Creates an emitter for the operation `origin`.
  public OnnxEmitter(GraphBuilder graph, String origin, List<String> inputs) {
    this(graph, origin, origin, inputs);
  }

  /// Creates an emitter for the operation `origin`.
  ///
  /// @param stem the beginning of the names of results
  /// @param inputs the names of the inputs in the graph
  public OnnxEmitter(GraphBuilder graph, String stem, String origin, List<String> inputs) {
    this.graph = graph;
    this.stem = stem;
    this.origin = origin;
    this.inputs = List.copyOf(inputs);
  }

  /// Adds all nodes that a value depends on.
  ///
  /// @return the name of the value in the graph
  public String emit(OnnxValue value) {
    return switch (value) {
      case OnnxValue.Input(int number, _, _) -> inputs.get(number);
      case OnnxValue.Constant(Tensor values) -> constants.computeIfAbsent(values, graph::constant);
      case OnnxValue.Result(OnnxNode node, int number) -> results(node).get(number);
      case OnnxValue.Absent _ -> "";
    };
  }

  private List<String> results(OnnxNode node) {
    List<String> known = nodes.get(node);
    if (known != null) {
      return known;
    }
    List<String> from = node.inputs().stream().map(this::emit).toList();
    List<String> results =
        Stream.generate(() -> graph.newName(stem)).limit(node.results()).toList();
    graph.node(
        new GraphNode(node.operator().name(), origin, from, results, attributes(node.operator())));
    nodes.put(node, results);
    return results;
  }

  private static List<Attribute> attributes(OnnxOperator operator) {
    return operator.attributes().entrySet().stream()
        .map(entry -> new Attribute(entry.getKey(), encoded(entry.getValue())))
        .toList();
  }

  private static Object encoded(Object value) {
    return value instanceof DType type ? (long) TensorBytes.code(type) : value;
  }
}
