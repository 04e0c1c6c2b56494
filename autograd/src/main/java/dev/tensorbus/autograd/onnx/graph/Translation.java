// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Step;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Translates a trace into an ONNX graph. The inputs of the graph are the inputs of the trace, the
/// parameters and buffers that the trace uses, under their own names, and the random tensors. All
/// values share one name space.
public final class Translation {
  private final GraphBuilder builder = new GraphBuilder();
  private final Map<Value, String> names = new HashMap<>();
  private final List<Value> feeds = new ArrayList<>();
  private final Set<String> weights;
  private int drawn;

  private Translation(Trace.Traced traced, List<Value> outputs) {
    this.weights =
        Stream.concat(
                traced.steps().stream().flatMap(step -> step.inputs().stream()), outputs.stream())
            .map(Value::source)
            .filter(Value.Source.State.class::isInstance)
            .map(state -> ((Value.Source.State) state).name())
            .collect(toUnmodifiableSet());
    weights.forEach(builder::take);
  }

  /// A graph and the traced values that its inputs take.
  ///
  /// @param feeds the traced value for each input of the graph
  public record Translated(Graph graph, List<Value> feeds) {
    /// Describes the first difference between two traces, or returns null if they are equal.
    public @Nullable String difference(Translated other) {
      String ofGraphs = graph.difference(other.graph);
      List<Object> laws = laws();
      List<Object> others = other.laws();
      return ofGraphs != null || laws.equals(others)
          ? ofGraphs
          : "random numbers are drawn with %s and %s".formatted(laws, others);
    }

    private List<Object> laws() {
      List<Object> laws = new ArrayList<>();
      for (Value feed : feeds) {
        if (feed.source() instanceof Value.Source.Drawn drawn) {
          laws.add(drawn.law());
        }
      }
      return laws;
    }
  }

  /// Translates the steps into a graph with the given outputs and default names.
  public static Translated of(Trace.Traced traced, List<Value> outputs) {
    return of(traced, outputs, List.of(), List.of());
  }

  /// Translates the steps, with the given names for inputs and outputs; an empty list means default
  /// names.
  ///
  /// @throws OnnxException if the number of names is wrong or a name is taken
  public static Translated of(
      Trace.Traced traced, List<Value> outputs, List<String> inputNames, List<String> outputNames) {
    return new Translation(traced, outputs).translate(traced, outputs, inputNames, outputNames);
  }

  private Translated translate(
      Trace.Traced traced, List<Value> outputs, List<String> inputNames, List<String> outputNames) {
    List<String> from = reserved("input", traced.inputs().size(), inputNames);
    List<String> to = reserved("output", outputs.size(), outputNames);
    for (int i = 0; i < from.size(); i++) {
      input(from.get(i), traced.inputs().get(i));
    }
    traced.steps().forEach(this::step);
    Map<String, String> renamed = new HashMap<>();
    for (int i = 0; i < to.size(); i++) {
      renamed.put(output(outputs.get(i), renamed.keySet()), to.get(i));
    }
    Graph graph = builder.build().renamed(name -> renamed.getOrDefault(name, name));
    return new Translated(graph, List.copyOf(feeds));
  }

  /// Reserves and returns the names of the inputs or the outputs.
  private List<String> reserved(String kind, int count, List<String> given) {
    if (given.isEmpty()) {
      return IntStream.range(0, count)
          .mapToObj(i -> freeName(count == 1 ? kind : kind + i))
          .toList();
    }
    if (given.size() != count) {
      throw new OnnxException(
          "%d names for %d %ss: %s; give one for each".formatted(given.size(), count, kind, given));
    }
    given.forEach(name -> reserve(kind, name));
    return given;
  }

  private String freeName(String stem) {
    return builder.take(stem) ? stem : builder.newName(stem);
  }

  private void reserve(String kind, String name) {
    if (name.isEmpty()) {
      throw new OnnxException("an " + kind + " has an empty name; give it a name");
    }
    if (!builder.take(name)) {
      throw new OnnxException(
          "the %s \"%s\" has the name of %s; give each input, output and weight a different name"
              .formatted(
                  kind, name, weights.contains(name) ? "a weight" : "another input or output"));
    }
  }

  private void input(String name, Value value) {
    builder.input(GraphValue.of(name, value.type(), value.shape()));
    feeds.add(value);
    names.put(value, name);
  }

  private void step(Step step) {
    List<String> from = step.inputs().stream().map(this::nameOf).toList();
    OnnxEmitter emitter = new OnnxEmitter(builder, step.operation().name(), step.origin(), from);
    List<OnnxValue> results = onnxResults(step);
    for (int i = 0; i < results.size(); i++) {
      names.put(step.results().get(i), emitter.emit(results.get(i)));
    }
  }

  private static List<OnnxValue> onnxResults(Step step) {
    try {
      return step.operation().onnxResults(inputs(step));
    } catch (IllegalStateException e) {
      String place = step.line() == null ? "" : " (" + step.origin() + ")";
      throw new IllegalStateException(e.getMessage() + place, e);
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

  /// Returns the name of a value in the graph. Parameters, buffers, random tensors and constants
  /// are added to the graph on first use.
  private String nameOf(Value value) {
    String known = names.get(value);
    if (known != null) {
      return known;
    }
    switch (value.source()) {
      case Value.Source.State(String name, _) -> input(name, value);
      case Value.Source.Drawn _ -> input(freeName("drawn" + drawn++), value);
      case Value.Source.Constant(Tensor tensor, _) -> names.put(value, builder.constant(tensor));
      case Value.Source.Input _, Value.Source.Result _ ->
          throw new IllegalStateException("a value is used before it is computed");
    }
    return nameOf(value);
  }

  /// Adds an output. If the value is not the result of a node, or is already an output, it is
  /// copied by an `Identity` node.
  ///
  /// @param used the names of the outputs so far
  /// @return the name of the output
  private String output(Value value, Set<String> used) {
    String name = nameOf(value);
    boolean isComputed = value.source() instanceof Value.Source.Result;
    if (!isComputed || used.contains(name)) {
      OnnxValue.Input input = new OnnxValue.Input(0, value.type(), value.shape());
      OnnxEmitter emitter = new OnnxEmitter(builder, "output", List.of(name));
      name = emitter.emit(operator("Identity").of(input));
    }
    builder.output(GraphValue.of(name, value.type(), value.shape()));
    return name;
  }
}
