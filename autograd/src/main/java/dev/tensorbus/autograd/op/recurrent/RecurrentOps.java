// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.profiler.OperationEvent;
import dev.tensorbus.autograd.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Recurrent networks, in which one operation runs a layer in one direction over a whole sequence.
public final class RecurrentOps {
  private RecurrentOps() {}

  /// Runs a layer over a sequence.
  ///
  /// @param x `[steps, batch, inputs]`
  /// @param state the state before the first step: the hidden state and, if the kind of cell has
  ///     one, the cell state, each `[batch, hidden]`
  /// @param weights the input weights `[gates * hidden, inputs]`, the hidden weights `[gates *
  ///     hidden, hidden]`, and their biases
  /// @param reverse whether the sequence is processed from its last step to its first
  /// @return the hidden states `[steps, batch, hidden]`, followed by the state after the last step
  /// @throws ShapeException if the shapes are incompatible
  public static List<Tensor> recurrent(
      CellKind kind, Tensor x, List<Tensor> state, List<Tensor> weights, boolean reverse) {
    requireShapes(kind, x.shape(), state, weights.get(0).shape(), weights.get(1).shape());
    Tensor[] inputs =
        Stream.of(List.of(x), weights, state).flatMap(List::stream).toArray(Tensor[]::new);
    Compute.requireOneType(name(kind), inputs);
    int[] sizes = x.shape().toArray();
    int hidden = weights.get(1).shape().size(1);
    Tensor[] versions = Arrays.stream(inputs).map(Tensor::detach).toArray(Tensor[]::new);
    OperationEvent event = OperationEvent.begun();
    RecurrentStates states =
        new Recurrent(kind, sizes[0], sizes[1], sizes[2], hidden, reverse).forward(versions);
    List<Tensor> results = states.results();
    event.end(states.network()::name, versions, results.toArray(Tensor[]::new));
    Trace.note(states.network(), results, inputs);
    if (NoGrad.isOn() || Arrays.stream(inputs).noneMatch(Tensor::requiresGrad)) {
      return results;
    }
    List<Edge> edges = Arrays.stream(inputs).map(Tensor::gradientEdge).toList();
    return recorded(results, new RecurrentNode(states, edges));
  }

  private static List<Tensor> recorded(List<Tensor> results, RecurrentNode node) {
    List<Tensor> recorded = new ArrayList<>();
    for (Tensor result : results) {
      recorded.add(Tensor.recorded(result, new Edge(node, recorded.size())));
    }
    return recorded;
  }

  private static void requireShapes(
      CellKind kind, Shape x, List<Tensor> state, Shape weightInput, Shape weightHidden) {
    int inputs = weightInput.size(1);
    if (x.rank() != 3 || x.size(0) == 0 || x.size(2) != inputs) {
      throw new ShapeException(
          name(kind), x + " is not [steps, batch, " + inputs + "] with at least one step");
    }
    Shape expected = Shape.of(x.size(1), weightHidden.size(1));
    for (Tensor part : state) {
      if (!part.shape().equals(expected)) {
        throw new ShapeException(
            name(kind), "a state of " + part.shape() + " does not fit, expected " + expected);
      }
    }
  }

  /// Returns the lower-case name of torch's layer: `lstm`, `gru` or `rnn`.
  public static String name(CellKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replaceFirst("_.*", "");
  }
}
