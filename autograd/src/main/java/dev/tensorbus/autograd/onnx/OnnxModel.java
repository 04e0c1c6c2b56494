// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.GraphNode;
import dev.tensorbus.autograd.onnx.graph.LoadedGraph;
import dev.tensorbus.autograd.onnx.graph.ModelReader;
import dev.tensorbus.autograd.onnx.operator.NodeCall;
import dev.tensorbus.autograd.onnx.operator.Operator;
import dev.tensorbus.autograd.onnx.operator.Operators;
import dev.tensorbus.nn.Forward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A model from an ONNX file, to be trained like any other layer. Its nodes are computed by our
/// operations, so ONNX Runtime is not needed.
///
/// ```java
/// OnnxModel features = OnnxModel.load(Path.of("resnet18.onnx"), "flat"); // without its last layer
/// features.requiresGrad(false);
/// var net = new Sequential(features, new Linear(512, 3, random));
/// ```
///
/// Weights are parameters under their names in the file: floating-point tensors of one axis or more
/// that a product, a convolution, a normalization, a recurrence, a lookup, or an addition,
/// subtraction, multiplication or division uses. The running statistics of batch normalization are
/// buffers. Other tensors are constants.
///
/// A loaded model is in evaluation mode, in which it predicts as ONNX Runtime does. In training
/// mode, dropout drops, and batch normalization uses and updates the statistics of batches unless
/// its weight is frozen.
public final class OnnxModel extends NamedTensors implements Forward {
  /// The maximum length of an error message, in which names of any length may occur.
  private static final int LONGEST = 500;

  private final List<String> inputs;
  private final List<String> outputs;
  private final List<Step> steps;
  private final Map<String, Tensor> tensors;
  private SplittableRandom random = new SplittableRandom(0);

  /// One node with its operator.
  ///
  /// @param finished the values that no later node uses
  private record Step(GraphNode node, Operator operator, List<String> finished) {}

  private OnnxModel(LoadedGraph graph) {
    inputs = graph.inputs();
    outputs = graph.outputs();
    steps = steps(graph);
    tensors = new LinkedHashMap<>(graph.initializers());
    Set<String> statistics = statistics(graph);
    tensors.putAll(register(state(statistics), statistics));
    eval();
  }

  /// Returns the tensors of the file that become parameters or buffers.
  private Map<String, Tensor> state(Set<String> statistics) {
    Set<String> used = learned();
    used.addAll(statistics);
    Map<String, Tensor> state = new LinkedHashMap<>(tensors);
    state
        .entrySet()
        .removeIf(named -> !used.contains(named.getKey()) || !isWeight(named.getValue()));
    return state;
  }

  /// Reads a model.
  ///
  /// @param outputs the names of the values that the model returns, for example to leave out its
  ///     last layer; nodes, inputs and weights that they do not depend on are left out, too. If
  ///     there are no names, the outputs that the file states
  /// @throws OnnxException if the file cannot be read or is damaged, an operator is not supported,
  ///     or there is no such value; the message is one line
  public static OnnxModel load(Path file, String... outputs) {
    if (!Files.isRegularFile(file)) {
      throw new OnnxException("cannot load " + file + ": there is no such file");
    }
    try {
      LoadedGraph graph = ModelReader.read(file);
      return new OnnxModel(outputs.length == 0 ? graph : graph.until(List.of(outputs)));
    } catch (IOException | IllegalArgumentException e) {
      throw new OnnxException(oneLine("cannot load " + file + ": " + e.getMessage()), e);
    }
  }

  /// Returns a message in one line, whatever the names that it contains.
  private static String oneLine(String message) {
    String line = message.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }

  private static List<Step> steps(LoadedGraph graph) {
    Set<String> needed = new HashSet<>(graph.outputs());
    List<Step> steps = new ArrayList<>();
    for (GraphNode node : graph.nodes().reversed()) {
      Operator operator = Operators.named(node.operator());
      if (operator == null) {
        throw new IllegalArgumentException(
            ("operator %s of node %s is not supported; load the model up to a value before it:"
                    + " load(file, \"%s\")")
                .formatted(node.operator(), node.origin(), String.join("\", \"", node.inputs())));
      }
      Set<String> finished = new HashSet<>(node.inputs());
      finished.addAll(node.outputs());
      finished.removeAll(needed);
      needed.addAll(node.inputs());
      steps.add(new Step(node, operator, List.copyOf(finished)));
    }
    return steps.reversed();
  }

  /// Returns the names of the values that are learned, if they are tensors of the file.
  private Set<String> learned() {
    Set<String> learned = new HashSet<>();
    for (Step step : steps.reversed()) {
      GraphNode node = step.node();
      boolean isLearned =
          switch (step.operator().weights()) {
            case NONE -> false;
            case LEARNED -> true;
            case PASSED_ON -> node.outputs().stream().anyMatch(learned::contains);
          };
      if (isLearned) {
        learned.addAll(node.inputs());
      }
    }
    return learned;
  }

  private static boolean isWeight(Tensor tensor) {
    return tensor.dtype().isFloating() && tensor.shape().rank() > 0;
  }

  /// Returns the names of running means and variances. Our own export replaces the node of a batch
  /// normalization with simpler ones, and keeps torch's names.
  private static Set<String> statistics(LoadedGraph graph) {
    return Stream.concat(
            graph.nodes().stream()
                .filter(node -> node.operator().equals("BatchNormalization"))
                .flatMap(node -> node.inputs().stream().skip(3)),
            graph.initializers().keySet().stream()
                .filter(name -> name.matches("(.*\\.)?running_(mean|var)")))
        .collect(Collectors.toSet());
  }

  /// Returns the names of the inputs.
  public List<String> inputs() {
    return inputs;
  }

  /// Returns the names of the outputs.
  public List<String> outputs() {
    return outputs;
  }

  /// Computes the output of a model with one input and one output.
  ///
  /// @throws OnnxException if a node cannot be computed, for example because of the input's shape
  @Override
  public Tensor forward(Tensor x) {
    if (outputs.size() != 1) {
      throw new OnnxException(
          oneLine(
              "forward: the model has the outputs %s; load it with one of them, or use forwardAll"
                  .formatted(outputs)));
    }
    return forwardAll(List.of(x)).getFirst();
  }

  /// Computes all outputs from all inputs, each in the order of [#inputs] and [#outputs].
  ///
  /// @throws OnnxException if a node cannot be computed, for example because of an input's shape
  public List<Tensor> forwardAll(List<Tensor> values) {
    if (values.size() != inputs.size()) {
      throw new OnnxException(
          oneLine(
              "forward: %d tensors for the inputs %s; give one for each"
                  .formatted(values.size(), inputs)));
    }
    Map<String, Tensor> known = new HashMap<>(tensors);
    for (int i = 0; i < inputs.size(); i++) {
      known.put(inputs.get(i), values.get(i));
    }
    RandomGenerator source = isTraining() ? stream() : null;
    for (Step step : steps) {
      compute(step, known, source);
      step.finished().forEach(known::remove);
    }
    return outputs.stream().map(name -> value(known, name)).toList();
  }

  /// Returns a value that a node has computed. Our operators may compute fewer results than ONNX
  /// defines, such as the indices of a pooling.
  private static Tensor value(Map<String, Tensor> known, String name) {
    Tensor value = known.get(name);
    if (value == null) {
      throw new OnnxException(oneLine("the value " + name + " is not computed"));
    }
    return value;
  }

  private static void compute(
      Step step, Map<String, Tensor> known, @Nullable RandomGenerator random) {
    GraphNode node = step.node();
    List<@Nullable Tensor> given = new ArrayList<>();
    try {
      for (String name : node.inputs()) {
        given.add(name.isEmpty() ? null : value(known, name));
      }
      List<Tensor> results = step.operator().function().apply(new NodeCall(node, given, random));
      for (int i = 0; i < Math.min(results.size(), node.outputs().size()); i++) {
        if (!node.outputs().get(i).isEmpty()) { // an empty name means that nobody wants the result
          known.put(node.outputs().get(i), results.get(i));
        }
      }
    } catch (RuntimeException e) { // the inputs and attributes may be anything
      throw new OnnxException(
          oneLine("node %s (%s): %s".formatted(node.origin(), node.operator(), e.getMessage())), e);
    }
  }

  /// Returns random numbers for one pass, so that concurrent passes do not affect each other.
  private synchronized RandomGenerator stream() {
    return random.split();
  }

  @Override
  protected synchronized void seeded(long seed) {
    random = new SplittableRandom(seed);
  }
}
