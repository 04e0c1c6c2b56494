// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.recurrent.RecurrentOps;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Recurrent networks. ONNX's operators have an axis for directions and another order of gates
/// than torch and our engine.
final class Recurrences {
  private Recurrences() {}

  static void addTo(OperatorTable table) {
    add(table, "LSTM", 0, 2, 3, 1);
    add(table, "GRU", 1, 0, 2);
    add(table, "RNN", 0);
  }

  /// @param gates for each gate in our order, its index in ONNX's order
  private static void add(OperatorTable table, String name, int... gates) {
    table.add(name, Operator.Weights.LEARNED, call -> run(call, kind(call, name), gates));
  }

  private static CellKind kind(NodeCall call, String name) {
    if (call.flag("input_forget", false)) {
      throw call.unsupported("input_forget");
    }
    List<?> activations = call.list("activations");
    for (CellKind kind : CellKind.values()) {
      if (RecurrentOps.name(kind).equalsIgnoreCase(name)
          && repeats(activations, activations(kind))) {
        return kind;
      }
    }
    throw call.unsupported("activations %s of an %s".formatted(activations, name));
  }

  private static List<String> activations(CellKind kind) {
    return switch (kind) {
      case RNN_TANH -> List.of("Tanh");
      case RNN_RELU -> List.of("Relu");
      case GRU -> List.of("Sigmoid", "Tanh");
      case LSTM -> List.of("Sigmoid", "Tanh", "Tanh");
    };
  }

  /// Returns whether the activations are absent or have these names, once for each direction.
  private static boolean repeats(List<?> activations, List<String> names) {
    return IntStream.range(0, activations.size())
        .allMatch(i -> names.get(i % names.size()).equals(activations.get(i)));
  }

  /// Inputs are the sequences, the weights of inputs and of states, the biases, the lengths, the
  /// first states.
  private static List<Tensor> run(NodeCall call, CellKind kind, int... gates) {
    if (call.has(4) || call.flag("layout", false) || call.has("clip") || call.has(7)) {
      throw call.unsupported("a length for each sequence, layout, clip or peepholes");
    }
    String direction = call.text("direction", "forward");
    int directions = direction.equals("bidirectional") ? 2 : 1;
    List<List<Tensor>> each = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      boolean isReverse = direction.equals("reverse") || i == 1;
      List<Tensor> weights = weights(call, i, gates);
      List<Tensor> states = states(call, kind, i);
      boolean resetsState = kind == CellKind.GRU && !call.flag("linear_before_reset", false);
      each.add(
          resetsState
              ? resettingState(call.x(), states.getFirst(), weights, isReverse)
              : RecurrentOps.recurrent(kind, call.x(), states, weights, isReverse));
    }
    List<Tensor> results = new ArrayList<>();
    for (int result = 0; result < each.getFirst().size(); result++) {
      int number = result;
      List<Tensor> parts = each.stream().map(all -> all.get(number)).toList();
      results.add(Tensor.stack(parts, result == 0 ? 1 : 0));
    }
    return results;
  }

  /// Computes the GRU of the paper, whose reset gate multiplies the state before its product with
  /// the weight. In torch's variant it multiplies the product.
  private static List<Tensor> resettingState(
      Tensor x, Tensor first, List<Tensor> weights, boolean isReverse) {
    int steps = x.shape().size(0);
    int hidden = first.shape().size(1);
    Tensor sums = x.linear(weights.get(0), weights.get(2).add(weights.get(3)));
    Tensor ofGates = weights.get(1).slice(0, 0, 2 * hidden).transpose(0, 1);
    Tensor ofNew = weights.get(1).slice(0, 2 * hidden, 3 * hidden).transpose(0, 1);
    Tensor[] states = new Tensor[steps];
    Tensor state = first;
    for (int order = 0; order < steps; order++) {
      int step = isReverse ? steps - 1 - order : order;
      Tensor sum = sums.select(0, step);
      Tensor gates = sum.slice(1, 0, 2 * hidden).add(state.matmul(ofGates)).sigmoid();
      Tensor reset = gates.slice(1, 0, hidden);
      Tensor update = gates.slice(1, hidden, 2 * hidden);
      Tensor fresh =
          sum.slice(1, 2 * hidden, 3 * hidden).add(reset.mul(state).matmul(ofNew)).tanh();
      state = fresh.add(update.mul(state.sub(fresh)));
      states[step] = state;
    }
    return List.of(Tensor.stack(List.of(states), 0), state);
  }

  private static List<Tensor> weights(NodeCall call, int direction, int... gates) {
    Tensor ofInput = call.y().select(0, direction);
    Tensor ofState = call.input(2).select(0, direction);
    int width = ofState.shape().size(0);
    Tensor biases =
        call.has(3)
            ? call.input(3).select(0, direction)
            : Tensor.full(Shape.of(2 * width), ofState.dtype(), 0);
    return List.of(
        reordered(ofInput, gates),
        reordered(ofState, gates),
        reordered(biases.slice(0, 0, width), gates),
        reordered(biases.slice(0, width, 2 * width), gates));
  }

  private static Tensor reordered(Tensor weight, int... gates) {
    int hidden = weight.shape().size(0) / gates.length;
    List<Tensor> parts = new ArrayList<>();
    for (int gate : gates) {
      parts.add(weight.slice(0, gate * hidden, (gate + 1) * hidden));
    }
    return gates.length == 1 ? weight : Tensor.concatenate(parts, 0);
  }

  private static List<Tensor> states(NodeCall call, CellKind kind, int direction) {
    int batch = call.x().shape().size(1);
    int hidden = call.input(2).shape().size(2);
    List<Tensor> states = new ArrayList<>();
    for (int input = 5; input < (kind.hasCell() ? 7 : 6); input++) {
      states.add(
          call.has(input)
              ? call.input(input).select(0, direction)
              : Tensor.full(Shape.of(batch, hidden), call.x().dtype(), 0));
    }
    return states;
  }
}
