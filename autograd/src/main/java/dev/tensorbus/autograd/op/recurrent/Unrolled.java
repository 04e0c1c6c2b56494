// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A [Recurrent] network composed of separate operations: slower, but twice differentiable.
final class Unrolled {
  private final Recurrent network;
  private final List<Tensor> inputs;
  private Tensor hidden;
  private Tensor cell;

  private Unrolled(Recurrent network, List<Tensor> inputs) {
    this.network = network;
    this.inputs = inputs;
    this.hidden = inputs.get(Recurrent.HIDDEN);
    this.cell = network.kind().hasCell() ? inputs.get(Recurrent.CELL) : hidden;
  }

  /// Returns all hidden states and the state after the last step, as [Recurrent#forward] does.
  static List<Tensor> results(Recurrent network, List<Tensor> inputs) {
    return new Unrolled(network, inputs).results();
  }

  private List<Tensor> results() {
    Tensor x = inputs.get(Recurrent.X);
    Tensor sums = x.linear(inputs.get(Recurrent.WEIGHT_INPUT), inputs.get(Recurrent.BIAS_INPUT));
    List<Tensor> outputs = new ArrayList<>();
    for (int order = 0; order < network.steps(); order++) {
      step(sums.select(0, network.step(order)));
      outputs.add(hidden);
    }
    if (network.reverse()) {
      Collections.reverse(outputs);
    }
    Tensor all = Tensor.stack(outputs, 0);
    return network.kind().hasCell() ? List.of(all, hidden, cell) : List.of(all, hidden);
  }

  /// @param sums the input sums of this step
  private void step(Tensor sums) {
    Tensor recurrent =
        hidden.linear(inputs.get(Recurrent.WEIGHT_HIDDEN), inputs.get(Recurrent.BIAS_HIDDEN));
    switch (network.kind()) {
      case RNN_TANH -> hidden = sums.add(recurrent).tanh();
      case RNN_RELU -> hidden = sums.add(recurrent).relu();
      case GRU -> gru(sums, recurrent);
      case LSTM -> lstm(sums.add(recurrent));
    }
  }

  private void gru(Tensor sums, Tensor recurrent) {
    Tensor reset = gate(sums, 0).add(gate(recurrent, 0)).sigmoid();
    Tensor update = gate(sums, 1).add(gate(recurrent, 1)).sigmoid();
    Tensor fresh = gate(sums, 2).add(reset.mul(gate(recurrent, 2))).tanh();
    hidden = fresh.add(update.mul(hidden.sub(fresh)));
  }

  private void lstm(Tensor sums) {
    Tensor added = gate(sums, 0).sigmoid().mul(gate(sums, 2).tanh());
    cell = gate(sums, 1).sigmoid().mul(cell).add(added);
    hidden = gate(sums, 3).sigmoid().mul(cell.tanh());
  }

  private Tensor gate(Tensor sums, int number) {
    return sums.slice(1, number * network.hidden(), (number + 1) * network.hidden());
  }
}
