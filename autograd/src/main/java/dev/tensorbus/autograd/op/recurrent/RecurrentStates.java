// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import static dev.tensorbus.autograd.op.Compute.array;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.ArrayList;
import java.util.List;

/// The inputs and states of a [Recurrent] network, which its derivative needs.
///
/// @param gates the gates of all steps
/// @param recurrent the sums over the hidden state; the same array as `gates` if the kind of cell
///     adds both sums
/// @param outputs the hidden state after each step
/// @param cells the cell state after each step, if the network has one
record RecurrentStates(
    Recurrent network,
    Tensor[] inputs,
    Object gates,
    Object recurrent,
    HeapStorage outputs,
    HeapStorage cells) {
  /// Returns the step at position `order`, for the batch rows from `first` to `end` (exclusive).
  CellStep<Object> step(int order, int first, int end) {
    int sums = network.start(order, first, network.width());
    int state = network.start(order, first, network.hidden());
    return new CellStep<>(
        end - first,
        network.hidden(),
        new Slice<>(gates, sums),
        new Slice<>(recurrent, sums),
        before(order, first, Recurrent.HIDDEN, outputs),
        new Slice<>(outputs.array(), state),
        before(order, first, network.kind().hasCell() ? Recurrent.CELL : Recurrent.HIDDEN, cells),
        new Slice<>(cells.array(), state));
  }

  private Slice<Object> before(int order, int first, int initial, HeapStorage states) {
    return order == 0
        ? new Slice<>(array(inputs[initial]), first * network.hidden())
        : new Slice<>(states.array(), network.start(order - 1, first, network.hidden()));
  }

  /// Copies the hidden state before each step to `before`.
  void copyOutputsBefore(Object before) {
    for (int order = 0; order < network.steps(); order++) {
      Slice<Object> source = before(order, 0, Recurrent.HIDDEN, outputs);
      int at = network.start(order, 0, network.hidden());
      System.arraycopy(
          source.values(), source.start(), before, at, network.stateShape().elements());
    }
  }

  /// Returns all hidden states and the state after the last step.
  List<Tensor> results() {
    List<Tensor> results = new ArrayList<>();
    results.add(Tensor.ofStorage(network.sequenceShape(), outputs));
    results.add(last(outputs));
    if (network.kind().hasCell()) {
      results.add(last(cells));
    }
    return results;
  }

  private Tensor last(HeapStorage states) {
    Shape shape = network.stateShape();
    HeapStorage last = HeapStorage.zeros(states.dtype(), shape.elements());
    int at = network.start(network.steps() - 1, 0, network.hidden());
    states.copyTo(at, last, 0, shape.elements());
    return Tensor.ofStorage(shape, last);
  }
}
