// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.recurrent.RecurrentOps;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.dropout.Dropout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The base class of recurrent networks, which have one or more layers and one or two directions.
/// The parameters have torch's names, such as `weight_ih_l0_reverse`.
abstract class RecurrentLayer extends Layer {
  private final CellKind kind;
  private final RecurrentOptions options;
  private final Dropout dropout;

  /// For each layer and direction: the input weights, the hidden weights, and the biases of both.
  private final List<List<Tensor>> weights = new ArrayList<>();

  RecurrentLayer(CellKind kind, RecurrentOptions options, RandomGenerator random) {
    this.kind = kind;
    this.options = options;
    for (int layer = 0; layer < options.layers(); layer++) {
      for (int direction = 0; direction < options.directions(); direction++) {
        weights.add(weights("_l" + layer + (direction == 0 ? "" : "_reverse"), layer, random));
      }
    }
    this.dropout = child("dropout", new Dropout(options.dropout(), random));
  }

  private List<Tensor> weights(String suffix, int layer, RandomGenerator random) {
    int sums = kind.gates() * options.hidden();
    return List.of(
        weight("weight_ih" + suffix, Shape.of(sums, options.inputsOf(layer)), random),
        weight("weight_hh" + suffix, Shape.of(sums, options.hidden()), random),
        weight("bias_ih" + suffix, Shape.of(sums), random),
        weight("bias_hh" + suffix, Shape.of(sums), random));
  }

  private Tensor weight(String name, Shape shape, RandomGenerator random) {
    return parameter(name, shape, Initializers.uniform(shape.elements(), options.hidden(), random));
  }

  /// Runs all layers.
  ///
  /// @param x `[steps, batch, inputs]`
  /// @param state the state before the first step: the hidden state and, for an LSTM, the cell
  ///     state, each `[layers * directions, batch, hidden]`
  /// @return the last layer's outputs, followed by the state after the last step
  final List<Tensor> run(Tensor x, List<Tensor> state) {
    requireState(stateShape(x), state);
    return run(RecurrentOps::recurrent, x, state);
  }

  /// Runs all layers over packed sequences.
  ///
  /// @param state the state before the first step of each sequence, in the original order of
  ///     sequences: the hidden state and, for an LSTM, the cell state, each `[layers * directions,
  ///     batch, hidden]`
  final PackedOutput<List<Tensor>> run(PackedSequence x, List<Tensor> state) {
    requireState(stateShape(x), state);
    List<Tensor> sorted = state.stream().map(part -> x.sorted(part, 1)).toList();
    List<Tensor> results = run(new PackedRecurrence(x.batchSizes())::recurrent, x.data(), sorted);
    return new PackedOutput<>(
        x.withData(results.getFirst()),
        results.stream().skip(1).map(part -> x.unsorted(part, 1)).toList());
  }

  /// Runs one layer in one direction.
  @FunctionalInterface
  private interface Recurrence {
    List<Tensor> run(
        CellKind kind, Tensor x, List<Tensor> state, List<Tensor> weights, boolean reverse);
  }

  private List<Tensor> run(Recurrence recurrence, Tensor x, List<Tensor> state) {
    List<List<Tensor>> last = new ArrayList<>();
    Tensor sequence = x;
    for (int layer = 0; layer < options.layers(); layer++) {
      List<Tensor> outputs = new ArrayList<>();
      for (int direction = 0; direction < options.directions(); direction++) {
        int place = layer * options.directions() + direction;
        List<Tensor> before = state.stream().map(part -> part.select(0, place)).toList();
        List<Tensor> results =
            recurrence.run(kind, sequence, before, weights.get(place), direction == 1);
        outputs.add(results.getFirst());
        last.add(results.subList(1, results.size()));
      }
      Tensor joined = outputs.size() == 1 ? outputs.getFirst() : Tensor.concatenate(outputs, -1);
      boolean drops = options.dropout() > 0 && layer < options.layers() - 1;
      sequence = drops ? dropout.forward(joined) : joined;
    }
    return results(sequence, last, state.size());
  }

  private static List<Tensor> results(Tensor sequence, List<List<Tensor>> last, int parts) {
    List<Tensor> results = new ArrayList<>();
    results.add(sequence);
    for (int part = 0; part < parts; part++) {
      int each = part;
      results.add(Tensor.stack(last.stream().map(state -> state.get(each)).toList(), 0));
    }
    return results;
  }

  private void requireState(Shape expected, List<Tensor> state) {
    for (Tensor part : state) {
      if (!part.shape().equals(expected)) {
        throw new ShapeException(
            RecurrentOps.name(kind),
            "a state of " + part.shape() + " does not fit, expected " + expected);
      }
    }
  }

  private Shape stateShape(Tensor x) {
    if (x.shape().rank() != 3) {
      throw new ShapeException(
          RecurrentOps.name(kind), x.shape() + " is not [steps, batch, " + options.inputs() + "]");
    }
    return stateShape(x.shape().size(1));
  }

  private Shape stateShape(PackedSequence x) {
    Shape data = x.data().shape();
    if (data.rank() != 2 || data.size(1) != options.inputs()) {
      throw new ShapeException(
          RecurrentOps.name(kind), "packed " + data + " is not [values, " + options.inputs() + "]");
    }
    return stateShape(x.sortedIndices().size());
  }

  private Shape stateShape(int batch) {
    return Shape.of(options.layers() * options.directions(), batch, options.hidden());
  }

  /// Returns a zero state for a batch of sequences.
  final Tensor zeros(Tensor x) {
    return Tensor.full(stateShape(x), x.dtype(), 0);
  }

  /// Returns a zero state for packed sequences.
  final Tensor zeros(PackedSequence x) {
    return Tensor.full(stateShape(x), x.data().dtype(), 0);
  }
}
