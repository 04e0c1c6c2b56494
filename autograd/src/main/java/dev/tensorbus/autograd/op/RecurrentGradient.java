// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.CellGradient;
import dev.tensorbus.autograd.kernel.MatmulShape;
import dev.tensorbus.autograd.kernel.Recurrence;
import dev.tensorbus.autograd.kernel.RightFactor;
import dev.tensorbus.autograd.kernel.Slice;
import org.jspecify.annotations.Nullable;

/// The derivative of a [Recurrent] network: back through the steps to the gradients of all sums,
/// and from these, for all steps at once, to those of the input and the weights.
final class RecurrentGradient {
  private final RecurrentStates states;
  private final Recurrent network;
  private final DType type;
  private final Arithmetic<Object> kernels;
  private final Tensor output;
  private final Tensor hidden;
  private final Tensor cell;

  /// Where the gradients of all sums go, over the input and over the hidden state; one array where
  /// the kind adds them.
  private final Tensor gates;

  private final Tensor recurrent;

  /// @param gradients of the [RecurrentStates#results]; null where there is none
  private RecurrentGradient(RecurrentStates states, @Nullable Tensor[] gradients) {
    this.states = states;
    this.network = states.network();
    this.type = states.inputs()[Recurrent.X].dtype();
    this.kernels = Compute.kernels(states.inputs()[Recurrent.X]);
    this.output = gradients[0] == null ? zeros(network.sequenceShape()) : gradients[0];
    this.hidden = copy(gradients[1]);
    this.cell = network.kind().hasCell() ? copy(gradients[2]) : hidden;
    this.gates = sums();
    this.recurrent = network.kind().addsSums() ? gates : sums();
  }

  /// Goes back through the steps.
  static RecurrentGradient of(RecurrentStates states, @Nullable Tensor[] gradients) {
    RecurrentGradient gradient = new RecurrentGradient(states, gradients);
    gradient.sweep();
    return gradient;
  }

  /// Room for what the steps write.
  private Tensor sums() {
    Shape shape = Shape.of(network.rows(), network.width());
    return Tensor.ofStorage(shape, type.arrayToFill(shape.elements()));
  }

  private Tensor zeros(Shape shape) {
    return Tensor.ofStorage(shape, type.newArray(shape.elements()));
  }

  /// The steps write to it.
  private Tensor copy(@Nullable Tensor gradient) {
    return gradient == null ? zeros(network.stateShape()) : gradient.scale(1f);
  }

  private void sweep() {
    Recurrence<Object> recurrence = kernels.recurrence();
    recurrence.withRightFactor(
        network.width(),
        network.hidden(),
        false,
        states.inputs()[Recurrent.WEIGHT_HIDDEN].storage(),
        weight ->
            recurrence.divide(
                network.batch(),
                network.work(),
                (first, end) -> sweep(recurrence, weight, first, end)));
  }

  /// All steps of the rows from `first` to `end`.
  private void sweep(
      Recurrence<Object> recurrence, RightFactor<Object> weight, int first, int end) {
    for (int order = network.steps() - 1; order >= 0; order--) {
      CellGradient<Object> gradient = step(order, first);
      recurrence.backward(network.kind(), states.step(order, first, end), gradient);
      weight.multiplyAdd(end - first, gradient.recurrent(), gradient.hidden());
    }
  }

  private CellGradient<Object> step(int order, int first) {
    int at = network.start(order, first, network.width());
    int state = first * network.hidden();
    return new CellGradient<>(
        new Slice<>(output.storage(), network.start(order, first, network.hidden())),
        new Slice<>(hidden.storage(), state),
        new Slice<>(cell.storage(), state),
        new Slice<>(gates.storage(), at),
        new Slice<>(recurrent.storage(), at));
  }

  /// The gradients of the network's inputs.
  ///
  /// @param needed for each input whether its gradient is wanted
  @Nullable Tensor[] inputs(boolean[] needed) {
    @Nullable Tensor[] inputs = new Tensor[needed.length];
    inputs[Recurrent.HIDDEN] = hidden;
    if (network.kind().hasCell()) {
      inputs[Recurrent.CELL] = cell;
    }
    if (needed[Recurrent.X]) {
      inputs[Recurrent.X] = xGradient();
    }
    if (needed[Recurrent.WEIGHT_INPUT]) {
      Object x = states.inputs()[Recurrent.X].storage();
      inputs[Recurrent.WEIGHT_INPUT] = weightGradient(gates, x, network.inputs());
    }
    if (needed[Recurrent.WEIGHT_HIDDEN]) {
      kernels.borrow(
          network.rows() * network.hidden(),
          before -> {
            states.copyOutputsBefore(before);
            inputs[Recurrent.WEIGHT_HIDDEN] = weightGradient(recurrent, before, network.hidden());
          });
    }
    if (needed[Recurrent.BIAS_INPUT]) {
      inputs[Recurrent.BIAS_INPUT] = biasGradient(gates);
    }
    if (needed[Recurrent.BIAS_HIDDEN]) {
      Tensor same = network.kind().addsSums() ? inputs[Recurrent.BIAS_INPUT] : null;
      inputs[Recurrent.BIAS_HIDDEN] = same == null ? biasGradient(recurrent) : same;
    }
    return inputs;
  }

  /// Gives back room that nobody else sees, when all inputs' gradients are computed.
  void free() {
    gates.free();
    recurrent.free();
  }

  /// `gates · weight`.
  private Tensor xGradient() {
    MatmulShape shape = MatmulShape.of(network.rows(), network.inputs(), network.width());
    Object weight = states.inputs()[Recurrent.WEIGHT_INPUT].storage();
    return Compute.result(
        output,
        states.inputs()[Recurrent.X].shape(),
        (k, product) -> k.matmul(shape, gates.storage(), weight, product));
  }

  /// `sumsᵀ · factors`.
  private Tensor weightGradient(Tensor sums, Object factors, int columns) {
    MatmulShape shape = MatmulShape.of(network.width(), columns, network.rows()).withTransposedA();
    return Compute.result(
        output,
        Shape.of(network.width(), columns),
        (k, product) -> k.matmul(shape, sums.storage(), factors, product));
  }

  private Tensor biasGradient(Tensor sums) {
    return Compute.result(
        output,
        Shape.of(network.width()),
        (k, total) -> k.sumRows(network.rows(), sums.storage(), total));
  }
}
