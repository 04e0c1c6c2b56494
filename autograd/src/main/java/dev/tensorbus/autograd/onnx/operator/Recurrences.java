// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.recurrent.RecurrentOps;
import java.util.ArrayList;
import java.util.List;

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
    boolean isRelu = isAll("Relu", activations);
    if (!activations.isEmpty() && !(name.equals("RNN") && (isRelu || isAll("Tanh", activations)))) {
      throw call.unsupported("activations %s of an %s".formatted(activations, name));
    }
    if (name.equals("GRU") && !call.flag("linear_before_reset", false)) {
      throw call.unsupported("linear_before_reset=0");
    }
    return switch (name) {
      case "LSTM" -> CellKind.LSTM;
      case "GRU" -> CellKind.GRU;
      default -> isRelu ? CellKind.RNN_RELU : CellKind.RNN_TANH;
    };
  }

  private static boolean isAll(String name, List<?> activations) {
    return !activations.isEmpty() && activations.stream().allMatch(name::equals);
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
      each.add(RecurrentOps.recurrent(kind, call.x(), states(call, kind, i), weights, isReverse));
    }
    List<Tensor> results = new ArrayList<>();
    for (int result = 0; result < each.getFirst().size(); result++) {
      int number = result;
      List<Tensor> parts = each.stream().map(all -> all.get(number)).toList();
      results.add(Tensor.stack(parts, result == 0 ? 1 : 0));
    }
    return results;
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
