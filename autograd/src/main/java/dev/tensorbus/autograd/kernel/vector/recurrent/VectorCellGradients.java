// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import dev.tensorbus.autograd.kernel.CellGradient;
import dev.tensorbus.autograd.kernel.CellStep;
import dev.tensorbus.autograd.kernel.Slice;
import java.util.Arrays;

/// The gradients of one row of a step, pass by pass; that of the hidden values holds what comes
/// from outside the network already.
final class VectorCellGradients {
  private VectorCellGradients() {}

  /// See [dev.tensorbus.autograd.kernel.CellKind#RNN_TANH].
  static void tanh(CellStep<float[]> row, CellGradient<float[]> gradient) {
    VectorCells.copy(row.hidden(), gradient.hidden(), gradient.gates());
    VectorRows.tanhGradient(row.hidden(), row.gates(), gradient.gates());
    clear(row.hidden(), gradient.hidden());
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#RNN_RELU].
  static void relu(CellStep<float[]> row, CellGradient<float[]> gradient) {
    for (int i = 0; i < row.hidden(); i++) {
      boolean positive = row.gates().values()[row.gates().start() + i] > 0f;
      gradient.gates().values()[gradient.gates().start() + i] =
          positive ? gradient.hidden().values()[gradient.hidden().start() + i] : 0f;
    }
    clear(row.hidden(), gradient.hidden());
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#GRU].
  static void gru(CellStep<float[]> row, CellGradient<float[]> gradient, Slice<float[]> kept) {
    int n = row.hidden();
    Slice<float[]> reset = row.gates();
    Slice<float[]> update = row.gates().from(n);
    Slice<float[]> fresh = row.gates().from(2 * n);
    Slice<float[]> updateSum = gradient.gates().from(n);
    Slice<float[]> freshSum = gradient.gates().from(2 * n);
    VectorRows.subtract(n, row.before(), fresh, updateSum);
    VectorRows.multiply(n, gradient.hidden(), updateSum, updateSum);
    VectorRows.sigmoidGradient(n, update, updateSum);
    VectorRows.multiply(n, gradient.hidden(), update, kept);
    VectorRows.subtract(n, gradient.hidden(), kept, freshSum);
    VectorRows.tanhGradient(n, fresh, freshSum);
    VectorCells.copy(n, kept, gradient.hidden());
    VectorRows.multiply(n, freshSum, row.recurrent().from(2 * n), gradient.gates());
    VectorRows.sigmoidGradient(n, reset, gradient.gates());
    VectorCells.copy(2 * n, gradient.gates(), gradient.recurrent());
    VectorRows.multiply(n, freshSum, reset, gradient.recurrent().from(2 * n));
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#LSTM].
  static void lstm(CellStep<float[]> row, CellGradient<float[]> gradient, Slice<float[]> tanh) {
    int n = row.hidden();
    Slice<float[]> input = row.gates();
    Slice<float[]> forget = row.gates().from(n);
    Slice<float[]> fresh = row.gates().from(2 * n);
    Slice<float[]> output = row.gates().from(3 * n);
    Slice<float[]> inputSum = gradient.gates();
    Slice<float[]> forgetSum = gradient.gates().from(n);
    Slice<float[]> freshSum = gradient.gates().from(2 * n);
    Slice<float[]> outputSum = gradient.gates().from(3 * n);
    Slice<float[]> cell = gradient.cell();
    VectorRows.tanh(n, row.cellAfter(), tanh);
    VectorRows.multiply(n, gradient.hidden(), tanh, outputSum);
    VectorRows.sigmoidGradient(n, output, outputSum);
    VectorRows.multiply(n, gradient.hidden(), output, inputSum);
    VectorRows.tanhGradient(n, tanh, inputSum);
    VectorRows.add(n, cell, inputSum, cell);
    VectorRows.multiply(n, cell, fresh, inputSum);
    VectorRows.multiply(n, cell, row.cellBefore(), forgetSum);
    VectorRows.sigmoidGradient(2 * n, input, inputSum);
    VectorRows.multiply(n, cell, input, freshSum);
    VectorRows.tanhGradient(n, fresh, freshSum);
    VectorRows.multiply(n, cell, forget, cell);
    clear(n, gradient.hidden());
  }

  private static void clear(int n, Slice<float[]> values) {
    Arrays.fill(values.values(), values.start(), values.start() + n, 0f);
  }
}
