// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.step;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.onnx.memory.DeviceMemory;
import dev.tensorbus.autograd.onnx.memory.DeviceTensor;
import dev.tensorbus.autograd.onnx.memory.NativeSession;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The graph of a step, loaded in ONNX Runtime. Runs must not overlap.
public final class StepGraph implements AutoCloseable {
  private final Translation.Translated translated;
  private final List<String> changed;

  /// Of the last trace.
  private List<Value.Source.Constant> constants;

  private final NativeSession session;
  private final DeviceMemory host = new DeviceMemory(Provider.CPU);

  /// The inputs that are not part of the state, by name.
  private final Map<String, DeviceTensor> inputs = new LinkedHashMap<>();

  private final List<DeviceTensor> results = new ArrayList<>();

  /// The number of steps of this kind. The first two were traced.
  private long steps = 2;

  /// @param translated the graph that [#translation] returned for the trace
  public StepGraph(Trace.Traced traced, Translation.Translated translated, Provider provider) {
    this.translated = translated;
    this.changed = List.copyOf(traced.changed().keySet());
    this.constants = constants(traced);
    this.session = new NativeSession(translated.graph(), provider);
    try {
      traced.outputs().forEach(output -> results.add(inHost(output)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static List<Value.Source.Constant> constants(Trace.Traced traced) {
    return traced.steps().stream()
        .flatMap(step -> step.inputs().stream())
        .map(Value::source)
        .filter(Value.Source.Constant.class::isInstance)
        .map(Value.Source.Constant.class::cast)
        .toList();
  }

  /// Translates a step into a graph whose outputs are the results and the changed state.
  public static Translation.Translated translation(Trace.Traced traced) {
    return Translation.of(
        traced,
        Stream.concat(traced.outputs().stream(), traced.changed().values().stream()).toList());
  }

  private DeviceTensor inHost(Value value) {
    return new DeviceTensor(host, value.type(), value.shape());
  }

  private String output(int number) {
    return translated.graph().outputs().get(number).name();
  }

  /// Returns the names of the state that the step changes.
  public List<String> changed() {
    return changed;
  }

  /// Counts a step. Returns whether it is to be traced again, as the 4th, 8th, 16th … are, and one
  /// before which Java has changed a tensor that is a constant of the graph.
  public boolean countStep() {
    steps++;
    return Long.bitCount(steps) == 1
        || constants.stream().anyMatch(Value.Source.Constant::isReplaced);
  }

  /// Describes how a later trace differs from that of this graph, or returns null.
  public @Nullable String difference(Trace.Traced later) {
    constants = constants(later);
    return translated.difference(translation(later));
  }

  /// Computes the results, and the next values of the changed state, which the caller makes the
  /// present ones or discards.
  ///
  /// @param tensors the tensors of the state by name
  public List<Tensor> run(ResidentState state, Map<String, Tensor> tensors, List<Tensor> given) {
    for (int i = 0; i < translated.feeds().size(); i++) {
      Value feed = translated.feeds().get(i);
      String input = translated.graph().inputs().get(i).name();
      session.bindInput(
          input,
          switch (feed.source()) {
            case Value.Source.State(String name, _) -> state.present(name, tensor(tensors, name));
            case Value.Source.Input(int number) -> copied(input, feed, given.get(number));
            case Value.Source.Drawn(_, var draw) -> copied(input, feed, draw.get());
            case Value.Source.Constant _, Value.Source.Result _ ->
                throw new IllegalStateException(input + " is not an input");
          });
    }
    for (int i = 0; i < results.size(); i++) {
      session.bindOutput(output(i), results.get(i).value());
    }
    for (int i = 0; i < changed.size(); i++) {
      String name = changed.get(i);
      state.present(name, tensor(tensors, name));
      session.bindOutput(output(results.size() + i), state.next(name));
    }
    session.run();
    return results.stream().map(DeviceTensor::get).toList();
  }

  private static Tensor tensor(Map<String, Tensor> tensors, String name) {
    return Objects.requireNonNull(tensors.get(name), name);
  }

  private MemorySegment copied(String input, Value feed, Tensor values) {
    DeviceTensor memory = inputs.computeIfAbsent(input, _ -> inHost(feed));
    memory.forget(); // a program may fill the same array with the next batch
    memory.put(values.heap());
    return memory.value();
  }

  @Override
  public void close() {
    session.close();
    inputs.values().forEach(DeviceTensor::close);
    results.forEach(DeviceTensor::close);
    host.close();
  }
}
