// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.kernel.CellKind;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import java.util.ArrayList;
import java.util.List;

/// How ONNX says a [Recurrent] network: its operators have an axis for directions, and gates in
/// another order.
final class RecurrentSpelling {
  private final Recurrent network;
  private final Nodes nodes;

  private RecurrentSpelling(Recurrent network, Nodes nodes) {
    this.network = network;
    this.nodes = nodes;
  }

  /// Adds the nodes and gives the names of the network's results.
  static List<String> of(Recurrent network, Nodes nodes) {
    return new RecurrentSpelling(network, nodes).results();
  }

  private List<String> results() {
    List<String> inputs = new ArrayList<>();
    inputs.add(nodes.x());
    inputs.add(weight(Recurrent.WEIGHT_INPUT, network.inputs()));
    inputs.add(weight(Recurrent.WEIGHT_HIDDEN, network.hidden()));
    inputs.add(biases());
    inputs.add(""); // Sequences are all of one length.
    inputs.add(state(Recurrent.HIDDEN));
    if (network.kind().hasCell()) {
      inputs.add(state(Recurrent.CELL));
    }
    List<String> given = node().all(network.results(), inputs.toArray(String[]::new));
    List<String> results = new ArrayList<>();
    results.add(nodes.reshaped(given.getFirst(), network.sequenceShape()));
    for (String last : given.subList(1, given.size())) {
      results.add(nodes.reshaped(last, network.stateShape()));
    }
    return results;
  }

  private Nodes.Node node() {
    Nodes.Node node =
        switch (network.kind()) {
          case RNN_TANH -> nodes.node("RNN").withTexts("activations", "Tanh");
          case RNN_RELU -> nodes.node("RNN").withTexts("activations", "Relu");
          case GRU -> nodes.node("GRU").with("linear_before_reset", 1);
          case LSTM -> nodes.node("LSTM");
        };
    return node.with("hidden_size", network.hidden())
        .withText("direction", network.reverse() ? "reverse" : "forward");
  }

  private String weight(int input, int columns) {
    return nodes.reshaped(reordered(nodes.input(input)), Shape.of(1, network.width(), columns));
  }

  private String biases() {
    String both =
        nodes
            .node("Concat")
            .with("axis", 0)
            .of(
                reordered(nodes.input(Recurrent.BIAS_INPUT)),
                reordered(nodes.input(Recurrent.BIAS_HIDDEN)));
    return nodes.reshaped(both, Shape.of(1, 2 * network.width()));
  }

  private String state(int input) {
    return nodes.reshaped(nodes.input(input), Shape.of(1, network.batch(), network.hidden()));
  }

  /// The rows of a weight, gate by gate in ONNX's order.
  private String reordered(String weight) {
    int[] order = order(network.kind());
    if (order.length == 1) {
      return weight;
    }
    List<String> gates =
        nodes
            .node("Split")
            .with("axis", 0)
            .with("num_outputs", order.length)
            .all(order.length, weight);
    List<String> reordered = new ArrayList<>();
    for (int gate : order) {
      reordered.add(gates.get(gate));
    }
    return nodes.node("Concat").with("axis", 0).of(reordered.toArray(String[]::new));
  }

  /// Which of our gates is ONNX's first, second, …: update, reset, new; input, output, forget,
  /// cell.
  private static int[] order(CellKind kind) {
    return switch (kind) {
      case RNN_TANH, RNN_RELU -> new int[] {0};
      case GRU -> new int[] {1, 0, 2};
      case LSTM -> new int[] {0, 3, 1, 2};
    };
  }
}
