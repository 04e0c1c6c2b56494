// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.function.Consumer;

/// The kernels for recurrent networks, implemented with the Vector API. Ranges of a batch are
/// computed on all cores.
public final class VectorRecurrence implements Recurrence<float[]> {
  /// The number of multiplications (about 30 microseconds of work) that makes waking a thread
  /// worthwhile.
  private static final long SMALLEST_SHARE = 1L << 21;

  private final Parallel parallel;

  public VectorRecurrence(Parallel parallel) {
    this.parallel = parallel;
  }

  @Override
  public void withPackedMatrix(
      int inner, int columns, boolean transposed, float[] b, Consumer<PackedMatrix<float[]>> body) {
    Lines lines = transposed ? new Lines(b, 0, inner, 1) : new Lines(b, 0, 1, columns);
    Scratch.borrowLines(
        VectorPackedMatrix.room(inner, columns),
        panels -> body.accept(VectorPackedMatrix.pack(inner, columns, lines, panels)));
  }

  /// Divides the rows into ranges of whole tiles, since a partial tile costs as much as a whole
  /// one.
  @Override
  public void divide(int rows, long work, Rows task) {
    int tiles = Math.max(1, (rows + Tile.ROWS - 1) / Tile.ROWS);
    int smallest = Math.clamp(SMALLEST_SHARE / Math.max(1, work * Tile.ROWS), 1, tiles);
    parallel.divide(
        tiles,
        smallest,
        (first, end) -> task.accept(first * Tile.ROWS, Math.min(rows, end * Tile.ROWS)));
  }

  @Override
  public void forward(CellKind kind, CellStep<float[]> step) {
    Scratch.borrow(
        VectorCells.room(step.hidden()),
        room -> {
          VectorCells cells = new VectorCells(step.hidden(), room);
          for (int row = 0; row < step.rows(); row++) {
            CellStep<float[]> one = step.row(kind, row);
            switch (kind) {
              case RNN_TANH -> cells.tanh(one);
              case RNN_RELU -> cells.relu(one);
              case GRU -> cells.gru(one);
              case LSTM -> cells.lstm(one);
            }
          }
        });
  }

  @Override
  public void backward(CellKind kind, CellStep<float[]> step, CellGradient<float[]> gradient) {
    Scratch.borrow(
        Panels.padded(step.hidden(), Tile.LANES),
        room -> {
          VectorCellGradients cells = new VectorCellGradients(step.hidden(), room);
          for (int row = 0; row < step.rows(); row++) {
            CellStep<float[]> one = step.row(kind, row);
            CellGradient<float[]> its = gradient.row(kind, step.hidden(), row);
            switch (kind) {
              case RNN_TANH -> cells.tanh(one, its);
              case RNN_RELU -> cells.relu(one, its);
              case GRU -> cells.gru(one, its);
              case LSTM -> cells.lstm(one, its);
            }
          }
        });
  }
}
