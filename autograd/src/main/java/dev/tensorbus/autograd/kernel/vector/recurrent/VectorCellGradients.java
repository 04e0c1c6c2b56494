// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Computes the gradients of a step, row by row and in place.
///
/// The gradient of a gate is multiplied by the derivative of its activation, which is `y - y * y`
/// for a sigmoid with the result `y`, and `1 - y * y` for a tanh with the result `y`. The gradients
/// of a GRU and an LSTM are computed in two loops: a single loop would have so many masked values
/// that C1 might give up compiling it.
///
/// @param hidden the size of the hidden state of a row
/// @param tangent scratch space for `hidden` values, rounded up to whole vectors
record VectorCellGradients(int hidden, float[] tangent) {
  private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1f);

  /// Computes the gradients of [dev.tensorbus.autograd.kernel.recurrent.CellKind#RNN_TANH].
  void tanh(CellStep<float[]> row, CellGradient<float[]> gradient) {
    addOutput(gradient);
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] hiddens = gradient.hidden().values();
    int hiddenAt = gradient.hidden().start();
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector y = FloatVector.fromArray(SPECIES, gates, gate + i, present);
      FloatVector.fromArray(SPECIES, hiddens, hiddenAt + i, present)
          .mul(ONE.sub(y.mul(y)))
          .intoArray(sums, sum + i, present);
    }
    clear(gradient.hidden());
  }

  /// Computes the gradients of [dev.tensorbus.autograd.kernel.recurrent.CellKind#RNN_RELU].
  void relu(CellStep<float[]> row, CellGradient<float[]> gradient) {
    addOutput(gradient);
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] hiddens = gradient.hidden().values();
    int hiddenAt = gradient.hidden().start();
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      VectorMask<Float> positive =
          FloatVector.fromArray(SPECIES, gates, gate + i, present).compare(VectorOperators.GT, 0f);
      FloatVector.fromArray(SPECIES, hiddens, hiddenAt + i, positive)
          .intoArray(sums, sum + i, present);
    }
    clear(gradient.hidden());
  }

  /// Computes the gradients of [dev.tensorbus.autograd.kernel.recurrent.CellKind#GRU].
  void gru(CellStep<float[]> row, CellGradient<float[]> gradient) {
    addOutput(gradient);
    update(row, gradient);
    reset(row, gradient);
    Slice<float[]> gates = gradient.gates();
    Slice<float[]> recurrent = gradient.recurrent();
    System.arraycopy(
        gates.values(), gates.start(), recurrent.values(), recurrent.start(), 2 * hidden);
  }

  /// Propagates the gradient of a GRU's next state, `fresh + update * (before - fresh)`, to
  /// `fresh`, `update` and `before`.
  private void update(CellStep<float[]> row, CellGradient<float[]> gradient) {
    float[] hiddens = gradient.hidden().values();
    int hiddenAt = gradient.hidden().start();
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] before = row.before().values();
    int beforeAt = row.before().start();
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector after = FloatVector.fromArray(SPECIES, hiddens, hiddenAt + i, present);
      FloatVector update = FloatVector.fromArray(SPECIES, gates, gate + hidden + i, present);
      FloatVector fresh = FloatVector.fromArray(SPECIES, gates, gate + 2 * hidden + i, present);
      FloatVector kept = after.mul(update);
      FloatVector change = FloatVector.fromArray(SPECIES, before, beforeAt + i, present).sub(fresh);
      FloatVector updateSum = after.mul(change).mul(update.sub(update.mul(update)));
      FloatVector freshSum = after.sub(kept).mul(ONE.sub(fresh.mul(fresh)));
      updateSum.intoArray(sums, sum + hidden + i, present);
      freshSum.intoArray(sums, sum + 2 * hidden + i, present);
      kept.intoArray(hiddens, hiddenAt + i, present);
    }
  }

  /// Propagates the gradient of the sum in a GRU's tanh gate to the reset gate and to the hidden
  /// sum that it multiplies.
  private void reset(CellStep<float[]> row, CellGradient<float[]> gradient) {
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] recurrents = row.recurrent().values();
    int recurrent = row.recurrent().start();
    float[] recurrentSums = gradient.recurrent().values();
    int recurrentSum = gradient.recurrent().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector freshSum = FloatVector.fromArray(SPECIES, sums, sum + 2 * hidden + i, present);
      FloatVector reset = FloatVector.fromArray(SPECIES, gates, gate + i, present);
      FloatVector change =
          freshSum.mul(
              FloatVector.fromArray(SPECIES, recurrents, recurrent + 2 * hidden + i, present));
      change.mul(reset.sub(reset.mul(reset))).intoArray(sums, sum + i, present);
      freshSum.mul(reset).intoArray(recurrentSums, recurrentSum + 2 * hidden + i, present);
    }
  }

  /// Computes the gradients of [dev.tensorbus.autograd.kernel.recurrent.CellKind#LSTM].
  void lstm(CellStep<float[]> row, CellGradient<float[]> gradient) {
    Slice<float[]> cell = row.cellAfter();
    System.arraycopy(cell.values(), cell.start(), tangent, 0, hidden);
    VectorMath.tanh(tangent, 0, hidden);
    show(row, gradient);
    remember(row, gradient);
    clear(gradient.hidden());
  }

  /// Propagates the gradient of an LSTM's next hidden state, `output * tanh(cell)`, to `output` and
  /// `cell`.
  private void show(CellStep<float[]> row, CellGradient<float[]> gradient) {
    float[] outputs = gradient.output().values();
    int outputAt = gradient.output().start();
    float[] hiddens = gradient.hidden().values();
    int hiddenAt = gradient.hidden().start();
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] cells = gradient.cell().values();
    int cellAt = gradient.cell().start();
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector after =
          FloatVector.fromArray(SPECIES, outputs, outputAt + i, present)
              .add(FloatVector.fromArray(SPECIES, hiddens, hiddenAt + i, present));
      FloatVector output = FloatVector.fromArray(SPECIES, gates, gate + 3 * hidden + i, present);
      FloatVector shown = FloatVector.fromArray(SPECIES, tangent, i);
      FloatVector outputSum = after.mul(shown).mul(output.sub(output.mul(output)));
      FloatVector cell = after.mul(output).mul(ONE.sub(shown.mul(shown)));
      outputSum.intoArray(sums, sum + 3 * hidden + i, present);
      FloatVector.fromArray(SPECIES, cells, cellAt + i, present)
          .add(cell)
          .intoArray(cells, cellAt + i, present);
    }
  }

  /// Propagates the gradient of an LSTM's next cell state, `forget * before + input * fresh`, to
  /// all four operands.
  private void remember(CellStep<float[]> row, CellGradient<float[]> gradient) {
    float[] cells = gradient.cell().values();
    int cellAt = gradient.cell().start();
    float[] gates = row.gates().values();
    int gate = row.gates().start();
    float[] before = row.cellBefore().values();
    int beforeAt = row.cellBefore().start();
    float[] sums = gradient.gates().values();
    int sum = gradient.gates().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector cell = FloatVector.fromArray(SPECIES, cells, cellAt + i, present);
      FloatVector input = FloatVector.fromArray(SPECIES, gates, gate + i, present);
      FloatVector forget = FloatVector.fromArray(SPECIES, gates, gate + hidden + i, present);
      FloatVector fresh = FloatVector.fromArray(SPECIES, gates, gate + 2 * hidden + i, present);
      FloatVector change = cell.mul(FloatVector.fromArray(SPECIES, before, beforeAt + i, present));
      cell.mul(fresh).mul(input.sub(input.mul(input))).intoArray(sums, sum + i, present);
      change.mul(forget.sub(forget.mul(forget))).intoArray(sums, sum + hidden + i, present);
      cell.mul(input).mul(ONE.sub(fresh.mul(fresh))).intoArray(sums, sum + 2 * hidden + i, present);
      cell.mul(forget).intoArray(cells, cellAt + i, present);
    }
  }

  /// Adds the contribution of the network's output to the contribution of the next step.
  private void addOutput(CellGradient<float[]> gradient) {
    float[] outputs = gradient.output().values();
    int outputAt = gradient.output().start();
    float[] hiddens = gradient.hidden().values();
    int hiddenAt = gradient.hidden().start();
    for (int i = 0; i < hidden; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, hidden);
      FloatVector.fromArray(SPECIES, outputs, outputAt + i, present)
          .add(FloatVector.fromArray(SPECIES, hiddens, hiddenAt + i, present))
          .intoArray(hiddens, hiddenAt + i, present);
    }
  }

  private void clear(Slice<float[]> values) {
    Arrays.fill(values.values(), values.start(), values.start() + hidden, 0f);
  }
}
