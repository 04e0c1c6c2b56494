// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import dev.tensorbus.autograd.kernel.CellStep;
import dev.tensorbus.autograd.kernel.Slice;

/// One row of a step, pass by pass.
final class VectorCells {
  private VectorCells() {}

  /// See [dev.tensorbus.autograd.kernel.CellKind#RNN_TANH].
  static void tanh(CellStep<float[]> row) {
    VectorRows.tanh(row.hidden(), row.gates(), row.gates());
    copy(row.hidden(), row.gates(), row.after());
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#RNN_RELU].
  static void relu(CellStep<float[]> row) {
    float[] values = row.gates().values();
    int start = row.gates().start();
    for (int i = start; i < start + row.hidden(); i++) {
      values[i] = Math.max(values[i], 0f);
    }
    copy(row.hidden(), row.gates(), row.after());
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#GRU].
  static void gru(CellStep<float[]> row) {
    int n = row.hidden();
    Slice<float[]> reset = row.gates();
    Slice<float[]> update = row.gates().from(n);
    Slice<float[]> fresh = row.gates().from(2 * n);
    VectorRows.add(2 * n, reset, row.recurrent(), reset);
    VectorRows.sigmoid(2 * n, reset, reset);
    VectorRows.multiplyAdd(n, reset, row.recurrent().from(2 * n), fresh);
    VectorRows.tanh(n, fresh, fresh);
    VectorRows.subtract(n, row.before(), fresh, row.after());
    VectorRows.multiply(n, update, row.after(), row.after());
    VectorRows.add(n, fresh, row.after(), row.after());
  }

  /// See [dev.tensorbus.autograd.kernel.CellKind#LSTM].
  static void lstm(CellStep<float[]> row) {
    int n = row.hidden();
    Slice<float[]> input = row.gates();
    Slice<float[]> forget = row.gates().from(n);
    Slice<float[]> fresh = row.gates().from(2 * n);
    Slice<float[]> output = row.gates().from(3 * n);
    VectorRows.sigmoid(2 * n, input, input);
    VectorRows.tanh(n, fresh, fresh);
    VectorRows.sigmoid(n, output, output);
    VectorRows.multiply(n, forget, row.cellBefore(), row.cellAfter());
    VectorRows.multiplyAdd(n, input, fresh, row.cellAfter());
    VectorRows.tanh(n, row.cellAfter(), row.after());
    VectorRows.multiply(n, output, row.after(), row.after());
  }

  static void copy(int n, Slice<float[]> from, Slice<float[]> to) {
    System.arraycopy(from.values(), from.start(), to.values(), to.start(), n);
  }
}
