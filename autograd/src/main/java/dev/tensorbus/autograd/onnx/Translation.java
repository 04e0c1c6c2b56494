// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.GraphBuilder;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import dev.tensorbus.autograd.onnx.graph.OnnxEmitter;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Step;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A trace as an ONNX graph. The graph's inputs are those of the trace, the tensors of the layer's
/// state that it uses, under their names, and the random draws.
final class Translation {
  private final GraphBuilder builder = new GraphBuilder();
  private final Map<Value, String> names = new HashMap<>();
  private final List<Value> feeds = new ArrayList<>();
  private int drawn;

  private Translation() {}

  /// A graph with its feeds.
  ///
  /// @param feeds the value of each of the graph's inputs
  record Translated(Graph graph, List<Value> feeds) {}

  /// Translates the steps; the graph's outputs are `outputs`.
  static Translated of(Trace.Traced traced, List<Value> outputs) {
    Translation translation = new Translation();
    for (Value input : traced.inputs()) {
      translation.input("input" + translation.names.size(), input);
    }
    traced.steps().forEach(translation::step);
    Set<String> used = new HashSet<>();
    outputs.forEach(output -> translation.output(output, used));
    return new Translated(translation.builder.build(), List.copyOf(translation.feeds));
  }

  private void input(String name, Value value) {
    builder.input(GraphValue.of(name, value.type(), value.shape()));
    feeds.add(value);
    names.put(value, name);
  }

  private void step(Step step) {
    List<String> from = step.inputs().stream().map(this::nameOf).toList();
    OnnxEmitter emitter = new OnnxEmitter(builder, step.operation().name(), from);
    List<OnnxValue> results = step.operation().onnxResults(inputs(step));
    for (int i = 0; i < results.size(); i++) {
      names.put(step.results().get(i), emitter.emit(results.get(i)));
    }
  }

  private static OnnxValue.Input[] inputs(Step step) {
    OnnxValue.Input[] inputs = new OnnxValue.Input[step.inputs().size()];
    for (int i = 0; i < inputs.length; i++) {
      Value input = step.inputs().get(i);
      inputs[i] = new OnnxValue.Input(i, input.type(), input.shape());
    }
    return inputs;
  }

  /// The name of a value, which is entered at its first use.
  private String nameOf(Value value) {
    String known = names.get(value);
    if (known != null) {
      return known;
    }
    switch (value.source()) {
      case Value.Source.State(String name, _) -> input(name, value);
      case Value.Source.Drawn _ -> input("drawn" + drawn++, value);
      case Value.Source.Constant(Tensor tensor) -> names.put(value, builder.constant(tensor));
      case Value.Source.Input _, Value.Source.Result _ ->
          throw new IllegalStateException("a value before its time");
    }
    return nameOf(value);
  }

  /// Gives outputs that nodes do not compute, or that go out twice, a node and a name of their
  /// own.
  private void output(Value value, Set<String> used) {
    String name = nameOf(value);
    boolean isComputed = value.source() instanceof Value.Source.Result;
    if (!isComputed || !used.add(name)) {
      OnnxValue.Input input = new OnnxValue.Input(0, value.type(), value.shape());
      OnnxEmitter emitter = new OnnxEmitter(builder, "output", List.of(name));
      name = emitter.emit(operator("Identity").of(input));
    }
    builder.output(GraphValue.of(name, value.type(), value.shape()));
  }
}
