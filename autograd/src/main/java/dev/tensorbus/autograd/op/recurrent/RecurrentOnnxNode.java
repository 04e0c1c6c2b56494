// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.ArrayList;
import java.util.List;

/// The ONNX node of a [Recurrent] network. ONNX's operators have an additional axis for directions
/// and a different order of gates.
final class RecurrentOnnxNode {
  private final Recurrent network;
  private final OnnxValue.Input[] given;

  private RecurrentOnnxNode(Recurrent network, OnnxValue.Input... given) {
    this.network = network;
    this.given = given;
  }

  /// Returns the network's results.
  static List<OnnxValue> of(Recurrent network, OnnxValue.Input... inputs) {
    return new RecurrentOnnxNode(network, inputs).results();
  }

  private List<OnnxValue> results() {
    List<OnnxValue> inputs = new ArrayList<>();
    inputs.add(given[Recurrent.X]);
    inputs.add(weight(Recurrent.WEIGHT_INPUT, network.inputs()));
    inputs.add(weight(Recurrent.WEIGHT_HIDDEN, network.hidden()));
    inputs.add(biases());
    inputs.add(new OnnxValue.Absent()); // all sequences have the same length
    inputs.add(state(Recurrent.HIDDEN));
    if (network.kind().hasCell()) {
      inputs.add(state(Recurrent.CELL));
    }
    List<OnnxValue> whole = node().all(network.results(), inputs.toArray(OnnxValue[]::new));
    List<OnnxValue> results = new ArrayList<>();
    results.add(whole.getFirst().reshaped(network.sequenceShape()));
    for (OnnxValue last : whole.subList(1, whole.size())) {
      results.add(last.reshaped(network.stateShape()));
    }
    return results;
  }

  private OnnxOperator node() {
    OnnxOperator node =
        switch (network.kind()) {
          case RNN_TANH -> operator("RNN").withTexts("activations", "Tanh");
          case RNN_RELU -> operator("RNN").withTexts("activations", "Relu");
          case GRU -> operator("GRU").with("linear_before_reset", 1);
          case LSTM -> operator("LSTM");
        };
    return node.with("hidden_size", network.hidden())
        .withText("direction", network.reverse() ? "reverse" : "forward");
  }

  private OnnxValue weight(int input, int columns) {
    return reordered(given[input]).reshaped(Shape.of(1, network.width(), columns));
  }

  private OnnxValue biases() {
    OnnxValue ofInput = reordered(given[Recurrent.BIAS_INPUT]);
    OnnxValue ofHidden = reordered(given[Recurrent.BIAS_HIDDEN]);
    return operator("Concat")
        .with("axis", 0)
        .of(ofInput, ofHidden)
        .reshaped(Shape.of(1, 2 * network.width()));
  }

  private OnnxValue state(int input) {
    return given[input].reshaped(Shape.of(1, network.batch(), network.hidden()));
  }

  /// Returns the rows of a weight, with the gates in ONNX's order.
  private OnnxValue reordered(OnnxValue weight) {
    int[] order = order(network.kind());
    if (order.length == 1) {
      return weight;
    }
    List<OnnxValue> gates =
        operator("Split")
            .with("axis", 0)
            .with("num_outputs", order.length)
            .all(order.length, weight);
    List<OnnxValue> reordered = new ArrayList<>();
    for (int gate : order) {
      reordered.add(gates.get(gate));
    }
    return operator("Concat").with("axis", 0).of(reordered.toArray(OnnxValue[]::new));
  }

  /// Returns, for each gate in ONNX's order, its index in our order. ONNX's order is update, reset,
  /// new for a GRU, and input, output, forget, cell for an LSTM.
  private static int[] order(CellKind kind) {
    return switch (kind) {
      case RNN_TANH, RNN_RELU -> new int[] {0};
      case GRU -> new int[] {1, 0, 2};
      case LSTM -> new int[] {0, 3, 1, 2};
    };
  }
}
