// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import static dev.tensorbus.autograd.op.Compute.array;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.op.Compute;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The derivative of a [Recurrent] network. Runs backward through the steps to compute the
/// gradients of all sums, and from these computes the gradients of the input and the weights for
/// all steps at once.
final class RecurrentGradient {
  private final RecurrentStates states;
  private final Recurrent network;
  private final DType type;
  private final Arithmetic<Object> kernels;
  private final Tensor output;
  private final Tensor hidden;
  private final Tensor cell;

  /// The gradients of all sums over the input (`gates`) and over the hidden state (`recurrent`).
  /// Both fields refer to one array if the kind of cell adds the sums. The arrays may be longer
  /// than needed.
  private final Object gates;

  private final Object recurrent;

  /// @param gradients one for each of [RecurrentStates#results], or null if it has none
  private RecurrentGradient(
      RecurrentStates states, @Nullable Tensor[] gradients, Object gates, Object recurrent) {
    this.states = states;
    this.network = states.network();
    this.type = states.inputs()[Recurrent.X].dtype();
    this.kernels = Compute.kernels(states.inputs()[Recurrent.X]);
    this.output = gradients[0] == null ? zeros(network.sequenceShape()) : gradients[0];
    this.hidden = copy(gradients[1]);
    this.cell = network.kind().hasCell() ? copy(gradients[2]) : hidden;
    this.gates = gates;
    this.recurrent = recurrent;
  }

  /// Runs backward through the steps and returns the gradients of the network's inputs. The
  /// gradients of the sums are not kept: they are stored in borrowed arrays.
  ///
  /// @param needed for each input, whether its gradient is needed
  static @Nullable Tensor[] inputs(
      RecurrentStates states, @Nullable Tensor[] gradients, boolean[] needed) {
    @Nullable Tensor[] inputs = new Tensor[needed.length];
    borrowSums(
        states,
        (gates, recurrent) -> {
          RecurrentGradient gradient = new RecurrentGradient(states, gradients, gates, recurrent);
          gradient.sweep();
          gradient.fill(inputs, needed);
        });
    return inputs;
  }

  private static void borrowSums(RecurrentStates states, BiConsumer<Object, Object> body) {
    Arithmetic<Object> kernels = Compute.kernels(states.inputs()[Recurrent.X]);
    int length = sums(states);
    boolean isOne = states.network().kind().addsSums();
    kernels.borrow(
        length,
        gates -> {
          if (isOne) {
            body.accept(gates, gates);
          } else {
            kernels.borrow(length, recurrent -> body.accept(gates, recurrent));
          }
        });
  }

  private static int sums(RecurrentStates states) {
    return states.network().rows() * states.network().width();
  }

  /// Runs backward through the steps. The gradients of the sums are kept, so that the gradients of
  /// the inputs can be computed in several calls.
  static RecurrentGradient of(RecurrentStates states, @Nullable Tensor[] gradients) {
    DType type = states.inputs()[Recurrent.X].dtype();
    Object gates = HeapStorage.zeros(type, sums(states)).array();
    boolean isOne = states.network().kind().addsSums();
    Object recurrent = isOne ? gates : HeapStorage.zeros(type, sums(states)).array();
    RecurrentGradient gradient = new RecurrentGradient(states, gradients, gates, recurrent);
    gradient.sweep();
    return gradient;
  }

  private Tensor zeros(Shape shape) {
    return Tensor.ofStorage(shape, HeapStorage.zeros(type, shape.elements()));
  }

  /// Returns a copy that the steps can change.
  private Tensor copy(@Nullable Tensor gradient) {
    return gradient == null ? zeros(network.stateShape()) : gradient.scale(1f);
  }

  private void sweep() {
    Recurrence<Object> recurrence = kernels.recurrence();
    recurrence.withPackedMatrix(
        network.width(),
        network.hidden(),
        false,
        array(states.inputs()[Recurrent.WEIGHT_HIDDEN]),
        weight ->
            recurrence.divide(
                network.batch(),
                network.work(),
                (first, end) -> sweep(recurrence, weight, first, end)));
  }

  /// Runs backward through all steps for the batch rows from `first` to `end` (exclusive).
  private void sweep(
      Recurrence<Object> recurrence, PackedMatrix<Object> weight, int first, int end) {
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
        new Slice<>(array(output), network.start(order, first, network.hidden())),
        new Slice<>(array(hidden), state),
        new Slice<>(array(cell), state),
        new Slice<>(gates, at),
        new Slice<>(recurrent, at));
  }

  /// Returns the gradients of the network's inputs.
  ///
  /// @param needed for each input, whether its gradient is needed
  @Nullable Tensor[] inputs(boolean[] needed) {
    @Nullable Tensor[] inputs = new Tensor[needed.length];
    fill(inputs, needed);
    return inputs;
  }

  private void fill(@Nullable Tensor[] inputs, boolean[] needed) {
    inputs[Recurrent.HIDDEN] = hidden;
    if (network.kind().hasCell()) {
      inputs[Recurrent.CELL] = cell;
    }
    if (needed[Recurrent.X]) {
      inputs[Recurrent.X] = xGradient();
    }
    if (needed[Recurrent.WEIGHT_INPUT]) {
      Object x = array(states.inputs()[Recurrent.X]);
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
  }

  /// Returns `gates · weight`.
  private Tensor xGradient() {
    MatmulShape shape = MatmulShape.of(network.rows(), network.inputs(), network.width());
    Object weight = array(states.inputs()[Recurrent.WEIGHT_INPUT]);
    return Compute.result(
        output,
        states.inputs()[Recurrent.X].shape(),
        (k, product) -> k.matmul(shape, gates, weight, product));
  }

  /// Returns `sumsᵀ · factors`.
  private Tensor weightGradient(Object sums, Object factors, int columns) {
    MatmulShape shape = MatmulShape.of(network.width(), columns, network.rows()).withTransposedA();
    return Compute.result(
        output,
        Shape.of(network.width(), columns),
        (k, product) -> k.matmul(shape, sums, factors, product));
  }

  private Tensor biasGradient(Object sums) {
    return Compute.result(
        output,
        Shape.of(network.width()),
        (k, total) -> k.sumRows(network.rows(), network.width(), sums, total));
  }
}
