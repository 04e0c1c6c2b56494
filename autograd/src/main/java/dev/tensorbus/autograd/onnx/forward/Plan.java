// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.forward;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import dev.tensorbus.autograd.trace.Differentiable;
import dev.tensorbus.autograd.trace.Step;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Repeats a traced computation. ONNX Runtime computes the outputs and the values that derivatives
/// need. The steps with a derivative are then recorded in the graph as if they had run in Java.
public final class Plan implements AutoCloseable {
  private final Trace.Traced traced;
  private final List<Value> fetched;
  private final Translation.Translated translated;
  private final Sessions sessions;

  public Plan(Trace.Traced traced, Provider provider) {
    this.traced = traced;
    this.fetched = fetched(traced);
    this.translated = Translation.of(traced, fetched);
    this.sessions = new Sessions(translated, provider);
  }

  /// Returns the outputs, followed by the other results that derivatives need.
  private static List<Value> fetched(Trace.Traced traced) {
    Set<Value> fetched = new LinkedHashSet<>(traced.outputs());
    for (Value value : TracedApplication.asked(traced.steps())) {
      if (value.source() instanceof Value.Source.Result) {
        fetched.add(value);
      }
    }
    return List.copyOf(fetched);
  }

  /// Computes the outputs.
  ///
  /// @throws Session.ClosedException if this is closed
  public List<Tensor> run(List<Tensor> inputs) {
    Map<Value, Tensor> values = new HashMap<>();
    List<Tensor> feeds = new ArrayList<>();
    for (Value feed : translated.feeds()) {
      Tensor tensor = present(feed, inputs);
      values.put(feed, tensor);
      feeds.add(tensor);
    }
    List<Tensor> results = sessions.run(feeds);
    for (int i = 0; i < results.size(); i++) {
      values.put(fetched.get(i), results.get(i));
    }
    Map<Value, Edge> edges = edges(values, inputs);
    return traced.outputs().stream().map(output -> output(output, values, edges)).toList();
  }

  /// Returns the tensor to feed to an input of the graph. It is detached, so the run and its
  /// derivatives use the same values.
  private static Tensor present(Value feed, List<Tensor> inputs) {
    return switch (feed.source()) {
      case Value.Source.Input(int number) -> inputs.get(number).detach();
      case Value.Source.State(_, Tensor tensor) -> tensor.detach();
      case Value.Source.Constant(Tensor tensor, _) -> tensor;
      case Value.Source.Drawn(_, var draw) -> draw.get();
      case Value.Source.Result _ -> throw new IllegalStateException("a result is not an input");
    };
  }

  /// Records the steps that have a derivative and returns the gradient edges of their results.
  private Map<Value, Edge> edges(Map<Value, Tensor> values, List<Tensor> inputs) {
    Map<Value, Edge> edges = new HashMap<>();
    for (Step step : traced.steps()) {
      if (step.isRecorded() && step.operation() instanceof Differentiable operation) {
        List<Edge> from = new ArrayList<>();
        for (int i = 0; i < step.inputs().size(); i++) {
          boolean isWanted = step.recorded().get(i);
          from.add(isWanted ? edge(step.inputs().get(i), edges, inputs) : Edge.NONE);
        }
        Node node =
            operation.node(new TracedApplication(step, value -> value(value, values)), from);
        for (int result = 0; result < step.results().size(); result++) {
          edges.put(step.results().get(result), new Edge(node, result));
        }
      }
    }
    return edges;
  }

  private static Edge edge(Value value, Map<Value, Edge> edges, List<Tensor> inputs) {
    return switch (value.source()) {
      case Value.Source.Input(int number) -> inputs.get(number).gradientEdge();
      case Value.Source.State(_, Tensor tensor) -> tensor.gradientEdge();
      case Value.Source.Result _ -> edges.getOrDefault(value, Edge.NONE);
      case Value.Source.Constant _, Value.Source.Drawn _ -> Edge.NONE;
    };
  }

  private static Tensor value(Value value, Map<Value, Tensor> values) {
    return value.source() instanceof Value.Source.Constant(Tensor tensor, _)
        ? tensor
        : Objects.requireNonNull(values.get(value));
  }

  private static Tensor output(Value output, Map<Value, Tensor> values, Map<Value, Edge> edges) {
    Edge edge = edges.get(output);
    Tensor value = value(output, values);
    return edge == null ? value : Tensor.recorded(value, edge);
  }

  @Override
  public void close() {
    sessions.close();
  }
}
