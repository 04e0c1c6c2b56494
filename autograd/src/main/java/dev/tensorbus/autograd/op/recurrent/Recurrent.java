// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import static dev.tensorbus.autograd.op.Compute.array;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Differentiable;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.List;

/// One recurrent layer in one direction, applied to a whole sequence.
///
/// The sums over the input are computed for all steps in one matrix product. In the backward pass,
/// the gradient of the input and the gradient of each weight matrix also take only one product for
/// all steps. Only the products of the state and the hidden weights, which are packed once, are
/// computed step by step.
///
/// The inputs are, in this order: x `[steps, batch, inputs]`, the input weights, the hidden
/// weights, their biases, and the state before the first step.
///
/// @param reverse whether the sequence is processed from its last step to its first
record Recurrent(CellKind kind, int steps, int batch, int inputs, int hidden, boolean reverse)
    implements Differentiable {
  static final int X = 0;
  static final int WEIGHT_INPUT = 1;
  static final int WEIGHT_HIDDEN = 2;
  static final int BIAS_INPUT = 3;
  static final int BIAS_HIDDEN = 4;
  static final int HIDDEN = 5;
  static final int CELL = 6;

  /// Computes all states.
  RecurrentStates forward(Tensor... inputs) {
    Arithmetic<Object> kernels = Compute.kernels(inputs[X]);
    DType type = inputs[X].dtype();
    Object gates = HeapStorage.zeros(type, rows() * width()).array();
    kernels.affine(
        MatmulShape.of(rows(), width(), this.inputs).withTransposedB(),
        array(inputs[X]),
        array(inputs[WEIGHT_INPUT]),
        array(inputBias(inputs)),
        gates);
    Object recurrent = kind.addsSums() ? gates : hiddenSums(inputs[BIAS_HIDDEN]);
    HeapStorage outputs = HeapStorage.zeros(type, rows() * hidden);
    HeapStorage cells = kind.hasCell() ? HeapStorage.zeros(type, rows() * hidden) : outputs;
    RecurrentStates states = new RecurrentStates(this, inputs, gates, recurrent, outputs, cells);
    run(kernels.recurrence(), states);
    return states;
  }

  private Tensor inputBias(Tensor[] inputs) {
    return kind.addsSums() ? inputs[BIAS_INPUT].add(inputs[BIAS_HIDDEN]) : inputs[BIAS_INPUT];
  }

  /// Returns an array for the hidden sums of all steps, initialized with the biases.
  private Object hiddenSums(Tensor biases) {
    return array(
        Compute.result(
            biases,
            Shape.of(rows(), width()),
            (k, sums) -> k.fillChannels(array(biases), 1, sums)));
  }

  private void run(Recurrence<Object> recurrence, RecurrentStates states) {
    recurrence.withPackedMatrix(
        hidden,
        width(),
        true,
        array(states.inputs()[WEIGHT_HIDDEN]),
        weight ->
            recurrence.divide(
                batch, work(), (first, end) -> run(recurrence, states, weight, first, end)));
  }

  /// Runs all steps for the batch rows from `first` to `end` (exclusive).
  private void run(
      Recurrence<Object> recurrence,
      RecurrentStates states,
      PackedMatrix<Object> weight,
      int first,
      int end) {
    for (int order = 0; order < steps; order++) {
      CellStep<Object> step = states.step(order, first, end);
      weight.multiplyAdd(end - first, step.before(), step.recurrent());
      recurrence.forward(kind, step);
    }
  }

  /// Returns the lower-case name of torch's layer, such as `lstm`.
  @Override
  public String name() {
    return RecurrentOps.name(kind);
  }

  /// Runs the forward pass again, since ONNX does not return the gates that the derivative needs.
  @Override
  public Node node(Application application, List<Edge> edges) {
    return new RecurrentNode(forward(application.all()), edges);
  }

  @Override
  public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
    return RecurrentOnnxNode.of(this, inputs);
  }

  /// Returns the number of results: all hidden states, the last hidden state and, for an LSTM, the
  /// last cell state.
  int results() {
    return kind.hasCell() ? 3 : 2;
  }

  /// Returns the total number of rows over all steps.
  int rows() {
    return steps * batch;
  }

  /// Returns the number of gate values per row.
  int width() {
    return kind.gates() * hidden;
  }

  /// Returns the number of multiplications per row of the batch, over all steps.
  long work() {
    return (long) steps * hidden * width();
  }

  /// Returns the number of multiplications for the weight gradients.
  long weightWork() {
    return (long) rows() * width() * (inputs + hidden);
  }

  /// Returns the index in the sequence of the step that is processed at position `order`.
  int step(int order) {
    return reverse ? steps - 1 - order : order;
  }

  /// Returns the offset of batch row `row` of the step at position `order`, in an array that holds
  /// the rows of all steps.
  ///
  /// @param size the number of values of a row
  int start(int order, int row, int size) {
    return (step(order) * batch + row) * size;
  }

  Shape stateShape() {
    return Shape.of(batch, hidden);
  }

  Shape sequenceShape() {
    return Shape.of(steps, batch, hidden);
  }
}
