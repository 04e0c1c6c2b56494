// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.onnx.step.ResidentState;
import dev.tensorbus.autograd.onnx.step.StepGraph;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.nn.Layer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Computes the same in Java, on ONNX Runtime (on the CPU, and on a GPU where there is one), and
/// with the exported model loaded again, and compares results and gradients.
public final class OnnxTwin {
  /// Relative to the greatest value, at least 1: what is summed up may cancel.
  private static final double TOLERANCE = 1e-5;

  private static final List<Device> DEVICES = devices();

  private final String name;
  private final Layer layer;
  private final Function<List<Tensor>, List<Tensor>> forward;
  private final List<Tensor> inputs;

  /// Results are of `forward`, which may use the parameters of `layer`.
  ///
  /// @param inputs of which the float32 ones get gradients
  public OnnxTwin(
      String name, Layer layer, Function<List<Tensor>, List<Tensor>> forward, List<Tensor> inputs) {
    this.name = name;
    this.layer = layer;
    this.forward = forward;
    this.inputs = inputs;
  }

  /// Those here that ONNX Runtime computes on.
  static List<Device> devices() {
    return Device.cuda(0).isAvailable() ? List.of(Device.CPU, Device.cuda(0)) : List.of(Device.CPU);
  }

  /// A layer without parameters.
  public static Layer nothing() {
    return new Layer() {};
  }

  /// The second pass, which ONNX Runtime computes, gives what Java gives.
  public void compare() {
    Map<String, Tensor> expected = results(layer, forward);
    DEVICES.forEach(device -> compare(device, expected));
  }

  /// The exported model, loaded again, gives what the layer gives. It has only the parameters that
  /// the results depend on, and constants that it takes for parameters.
  ///
  /// @param folder an empty one
  public void compareLoaded(Path folder) {
    OnnxModel loaded = reloaded(folder.resolve(name + ".onnx"));
    List<String> names = IntStream.range(0, inputs.size()).mapToObj(i -> "input" + i).toList();
    List<Integer> used =
        loaded.inputs().stream().map(each -> Math.max(0, names.indexOf(each))).toList();
    Map<String, Tensor> expected = results(layer, forward);
    Map<String, Tensor> actual =
        results(loaded, given -> loaded.forwardAll(used.stream().map(given::get).toList()));
    actual.keySet().removeIf(key -> key.startsWith("gradient of constant_"));
    expected
        .keySet()
        .removeIf(key -> !actual.containsKey(key) && expected.get(key).shape().elements() == 0);
    assertClose("loaded", actual, expected);
  }

  private OnnxModel reloaded(Path file) {
    try {
      Files.write(file, OnnxExport.ofAll(layer, forward).bytes(inputs.toArray(Tensor[]::new)));
      return OnnxModel.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compare(Device device, Map<String, Tensor> expected) {
    try (Accelerated accelerated = Accelerated.ofAll(layer, forward, device)) {
      assertClose(device + ", first", results(layer, accelerated::forwardAll), expected);
      assertClose(device + ", second", results(layer, accelerated::forwardAll), expected);
    }
  }

  /// The operators in the graph of a step with results and gradients.
  ///
  /// @throws IllegalStateException if the step cannot be traced or has no ONNX nodes
  public Set<String> operatorsOfStep() {
    return StepGraph.translation(traced(inputs)).graph().operators();
  }

  private Trace.Traced traced(List<Tensor> given) {
    return Trace.ofStep(state(), given, in -> step(in, Backward::createGraph));
  }

  private Map<String, Tensor> state() {
    Map<String, Tensor> state = new LinkedHashMap<>(layer.namedParameters());
    state.putAll(layer.namedBuffers());
    return state;
  }

  /// A step with results and gradients, traced with other values, gives in ONNX Runtime what Java
  /// gives.
  ///
  /// @throws IllegalStateException if the step cannot be traced or has no ONNX nodes
  public void compareStep() {
    Map<String, Tensor> state = state();
    Map<Tensor, Tensor> before = new HashMap<>();
    state.values().forEach(tensor -> before.put(tensor, tensor.detach()));
    state.values().forEach(tensor -> tensor.replace(OnnxTwin::changed));
    Trace.Traced traced = traced(inputs.stream().map(OnnxTwin::changed).toList());
    Translation.Translated translated = StepGraph.translation(traced);
    before.forEach((tensor, values) -> tensor.replace(_ -> values));
    List<Tensor> expected = step(inputs, UnaryOperator.identity());
    for (Device device : DEVICES) {
      before.forEach((tensor, values) -> tensor.replace(_ -> values));
      try (ResidentState resident = new ResidentState(device.provider());
          StepGraph graph = new StepGraph(traced, translated, device.provider())) {
        List<Tensor> actual = graph.run(resident, state, inputs);
        assertThat(actual).as(name).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
          assertClose(device + ", step, result " + i, actual.get(i), expected.get(i));
        }
      }
    }
  }

  /// Other values of the same kind.
  private static Tensor changed(Tensor x) {
    return x.dtype().isFloating()
        ? x.detach().scale(0.9)
        : x.shape().rank() == 0 ? x : x.detach().flip(0);
  }

  private List<Tensor> step(List<Tensor> given, UnaryOperator<Backward> kind) {
    List<Tensor> in =
        given.stream()
            .map(x -> x.dtype() == DType.FLOAT32 ? Tensor.parameterOf(x) : x.detach())
            .toList();
    List<Tensor> outputs = forward.apply(in);
    List<Tensor> results = new ArrayList<>(outputs);
    List<Tensor> roots = outputs.stream().filter(Tensor::requiresGrad).toList();
    if (!roots.isEmpty()) {
      List<Tensor> wanted = new ArrayList<>(in.stream().filter(Tensor::requiresGrad).toList());
      layer.parameters().stream().filter(Tensor::requiresGrad).forEach(wanted::add);
      kind.apply(pass(roots)).gradientsOf(wanted.toArray(Tensor[]::new)).stream()
          .filter(Objects::nonNull)
          .forEach(results::add);
    }
    return results.stream().map(Tensor::detach).toList();
  }

  /// Results and gradients by name.
  private Map<String, Tensor> results(
      Layer layer, Function<List<Tensor>, List<Tensor>> computation) {
    List<Tensor> given =
        inputs.stream()
            .map(x -> x.dtype() == DType.FLOAT32 ? Tensor.parameterOf(x) : x.detach())
            .toList();
    List<Tensor> outputs = computation.apply(given);
    Map<String, Tensor> results = new LinkedHashMap<>();
    outputs.forEach(output -> results.put("y" + results.size(), output.detach()));
    Map<String, Tensor> wanted = new LinkedHashMap<>();
    given.stream().filter(Tensor::requiresGrad).forEach(x -> wanted.put("x" + wanted.size(), x));
    wanted.putAll(layer.namedParameters());
    List<Tensor> roots = outputs.stream().filter(Tensor::requiresGrad).toList();
    if (!roots.isEmpty()) {
      wanted.values().forEach(Tensor::zeroGrad);
      pass(roots).run();
      wanted.forEach(
          (key, leaf) -> {
            Tensor gradient = leaf.grad();
            results.put("gradient of " + key, gradient == null ? Tensor.zeros(0) : gradient);
          });
    }
    return results;
  }

  private static Backward pass(List<Tensor> roots) {
    SplittableRandom random = new SplittableRandom(1);
    Backward pass = Backward.from(roots.getFirst(), like(roots.getFirst(), random));
    for (Tensor root : roots.subList(1, roots.size())) {
      pass = pass.and(root, like(root, random));
    }
    return pass;
  }

  private static Tensor like(Tensor root, SplittableRandom random) {
    return Tensor.randn(random, root.shape().toArray());
  }

  private void assertClose(String pass, Map<String, Tensor> actual, Map<String, Tensor> expected) {
    assertThat(actual.keySet()).as(name).isEqualTo(expected.keySet());
    expected.forEach((key, tensor) -> assertClose(pass + " " + key, actual.get(key), tensor));
  }

  private void assertClose(String what, Tensor actual, Tensor expected) {
    assertThat(actual.shape()).as(name + " " + what).isEqualTo(expected.shape());
    assertThat(actual.dtype()).as(name + " " + what).isEqualTo(expected.dtype());
    double[] wanted = expected.to(DType.FLOAT64).doubles();
    double[] got = actual.to(DType.FLOAT64).doubles();
    double greatest = 1;
    for (double value : wanted) {
      greatest = Double.isFinite(value) ? Math.max(greatest, Math.abs(value)) : greatest;
    }
    for (int i = 0; i < wanted.length; i++) {
      boolean close = wanted[i] == got[i] || Math.abs(wanted[i] - got[i]) <= TOLERANCE * greatest;
      assertThat(close)
          .as("%s %s[%d] is %s, expected %s", name, what, i, got[i], wanted[i])
          .isTrue();
    }
  }
}
