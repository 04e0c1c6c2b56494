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
import java.util.function.Consumer;
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

  /// @param gradients of the [RecurrentStates#results]; null where there is none
  private RecurrentGradient(RecurrentStates states, @Nullable Tensor[] gradients) {
    this.states = states;
    this.network = states.network();
    this.type = states.inputs()[Recurrent.X].dtype();
    this.kernels = Compute.kernels(states.inputs()[Recurrent.X]);
    this.output = gradients[0] == null ? zeros(network.sequenceShape()) : gradients[0];
    this.hidden = copy(gradients[1]);
    this.cell = network.kind().hasCell() ? copy(gradients[2]) : hidden;
  }

  /// The gradients of the network's inputs.
  ///
  /// @param needed for each input whether its gradient is wanted
  static @Nullable Tensor[] of(
      RecurrentStates states, @Nullable Tensor[] gradients, boolean[] needed) {
    RecurrentGradient gradient = new RecurrentGradient(states, gradients);
    @Nullable Tensor[] inputs = new Tensor[needed.length];
    gradient.withSums(sums -> gradient.fill(inputs, needed, sums));
    return inputs;
  }

  /// Where the gradients of all sums go; one array where the kind adds them.
  private record Sums(Object gates, Object recurrent) {}

  private void withSums(Consumer<Sums> body) {
    int length = network.rows() * network.width();
    if (network.kind().addsSums()) {
      kernels.borrow(length, both -> body.accept(new Sums(both, both)));
    } else {
      kernels.borrow(
          length,
          gates -> kernels.borrow(length, recurrent -> body.accept(new Sums(gates, recurrent))));
    }
  }

  private Tensor zeros(Shape shape) {
    return Tensor.ofStorage(shape, type.newArray(shape.elements()));
  }

  /// The steps write to it.
  private Tensor copy(@Nullable Tensor gradient) {
    return gradient == null ? zeros(network.stateShape()) : gradient.scale(1f);
  }

  private void sweep(Sums sums) {
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
                (first, end) -> sweep(recurrence, sums, weight, first, end)));
  }

  /// All steps of the rows from `first` to `end`.
  private void sweep(
      Recurrence<Object> recurrence, Sums sums, RightFactor<Object> weight, int first, int end) {
    for (int order = network.steps() - 1; order >= 0; order--) {
      CellGradient<Object> gradient = step(sums, order, first);
      recurrence.backward(network.kind(), states.step(order, first, end), gradient);
      weight.multiplyAdd(end - first, gradient.recurrent(), gradient.hidden());
    }
  }

  private CellGradient<Object> step(Sums sums, int order, int first) {
    int at = network.start(order, first, network.width());
    int state = first * network.hidden();
    return new CellGradient<>(
        new Slice<>(output.storage(), network.start(order, first, network.hidden())),
        new Slice<>(hidden.storage(), state),
        new Slice<>(cell.storage(), state),
        new Slice<>(sums.gates, at),
        new Slice<>(sums.recurrent, at));
  }

  private void fill(@Nullable Tensor[] inputs, boolean[] needed, Sums sums) {
    sweep(sums);
    inputs[Recurrent.HIDDEN] = hidden;
    if (network.kind().hasCell()) {
      inputs[Recurrent.CELL] = cell;
    }
    if (needed[Recurrent.X]) {
      inputs[Recurrent.X] = xGradient(sums.gates);
    }
    if (needed[Recurrent.WEIGHT_INPUT]) {
      Object x = states.inputs()[Recurrent.X].storage();
      inputs[Recurrent.WEIGHT_INPUT] = weightGradient(sums.gates, x, network.inputs());
    }
    if (needed[Recurrent.WEIGHT_HIDDEN]) {
      kernels.borrow(
          network.rows() * network.hidden(),
          before -> {
            states.copyOutputsBefore(before);
            inputs[Recurrent.WEIGHT_HIDDEN] =
                weightGradient(sums.recurrent, before, network.hidden());
          });
    }
    inputs[Recurrent.BIAS_INPUT] = biasGradient(sums.gates);
    inputs[Recurrent.BIAS_HIDDEN] =
        network.kind().addsSums() ? inputs[Recurrent.BIAS_INPUT] : biasGradient(sums.recurrent);
  }

  /// `gates · weight`.
  private Tensor xGradient(Object gates) {
    MatmulShape shape = MatmulShape.of(network.rows(), network.inputs(), network.width());
    Object weight = states.inputs()[Recurrent.WEIGHT_INPUT].storage();
    return Compute.result(
        output,
        states.inputs()[Recurrent.X].shape(),
        (k, product) -> k.matmul(shape, gates, weight, product));
  }

  /// `sumsᵀ · factors`.
  private Tensor weightGradient(Object sums, Object factors, int columns) {
    MatmulShape shape = MatmulShape.of(network.width(), columns, network.rows()).withTransposedA();
    return Compute.result(
        output,
        Shape.of(network.width(), columns),
        (k, product) -> k.matmul(shape, sums, factors, product));
  }

  private Tensor biasGradient(Object sums) {
    return Compute.result(
        output, Shape.of(network.width()), (k, total) -> k.sumRows(network.rows(), sums, total));
  }
}
