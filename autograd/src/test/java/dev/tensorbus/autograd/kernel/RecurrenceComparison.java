// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.recurrent.CellGradient;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.kernel.recurrent.CellStep;
import dev.tensorbus.autograd.kernel.recurrent.Recurrence;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.Arrays;

/// The steps of recurrent networks, forward and backward.
final class RecurrenceComparison extends Comparison {
  /// Below, at and above the width of vectors of any width.
  private static final int[] HIDDEN_SIZES = {1, 3, 4, 7, 8, 15, 16, 17, 33, 70};

  /// Units of tolerance for each addition: of a gate's function, too.
  private static final int ROUNDINGS = 4;

  RecurrenceComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int hidden : HIDDEN_SIZES) {
      for (CellKind kind : CellKind.values()) {
        cell(kind, 3, hidden, 1);
        // Beyond what exp can hold, both ways.
        cell(kind, 2, hidden, 200);
      }
      packedMatrix(1, hidden, 5);
      packedMatrix(9, 7, hidden);
      packedMatrix(hidden, 300, 40);
    }
    rangesOfRows();
  }

  /// The same bits, whichever rows are computed together: as threads may divide them.
  private void rangesOfRows() {
    int rows = 37;
    int inner = 300;
    int columns = 70;
    float[] a = randoms(rows * inner, 1);
    float[] b = randoms(inner * columns, 1);
    float[] whole = new float[rows * columns];
    float[] parts = new float[rows * columns];
    actual
        .recurrence()
        .withPackedMatrix(
            inner,
            columns,
            true,
            b,
            factor -> {
              factor.multiplyAdd(rows, new Slice<>(a, 0), new Slice<>(whole, 0));
              for (int first = 0; first < rows; first += 8) {
                Slice<float[]> part = new Slice<>(a, first * inner);
                int count = Math.min(8, rows - first);
                factor.multiplyAdd(count, part, new Slice<>(parts, first * columns));
              }
            });
    if (!Arrays.equals(whole, parts)) {
      throw new AssertionError("rows differ by what is computed beside them (-Dseed=" + seed + ")");
    }
  }

  private void cell(CellKind kind, int rows, int hidden, double scale) {
    int sums = rows * hidden * kind.gates();
    int state = rows * hidden;
    float[][] given = {
      randoms(sums + 2, scale), randoms(sums + 1, scale), randoms(state, 1), randoms(state + 5, 1),
      randoms(state, 1), randoms(state + 1, 1), randoms(state, 1), randoms(state + 2, 1),
      randoms(state, 1), randoms(sums, 1), randoms(sums + 3, 1)
    };
    float[][] wanted = run(expected.recurrence(), kind, rows, hidden, given);
    float[][] got = run(actual.recurrence(), kind, rows, hidden, given);
    for (int part = 0; part < given.length; part++) {
      requireSame(
          "%s of %d, part %d".formatted(kind, hidden, part), ROUNDINGS, wanted[part], got[part]);
    }
  }

  /// A step forward and backward; all arrays afterwards.
  private static float[][] run(
      Recurrence<float[]> recurrence, CellKind kind, int rows, int hidden, float[][] given) {
    float[][] x = Arrays.stream(given).map(float[]::clone).toArray(float[][]::new);
    Slice<float[]> gates = new Slice<>(x[0], 2);
    Slice<float[]> gateSums = new Slice<>(x[9], 0);
    CellStep<float[]> step =
        new CellStep<>(
            rows,
            hidden,
            gates,
            kind.addsSums() ? gates : new Slice<>(x[1], 1),
            new Slice<>(x[2], 0),
            new Slice<>(x[3], 5),
            new Slice<>(x[4], 0),
            new Slice<>(x[5], 1));
    recurrence.forward(kind, step);
    recurrence.backward(
        kind,
        step,
        new CellGradient<>(
            new Slice<>(x[6], 0),
            new Slice<>(x[7], 2),
            new Slice<>(x[8], 0),
            gateSums,
            kind.addsSums() ? gateSums : new Slice<>(x[10], 3)));
    return x;
  }

  private void packedMatrix(int rows, int inner, int columns) {
    float[] b = randoms(inner * columns, 1);
    Slice<float[]> a = new Slice<>(randoms(rows * inner + 3, 1), 3);
    float[] c = randoms(rows * columns + 2, 1);
    for (boolean transposed : new boolean[] {false, true}) {
      float[] wanted = c.clone();
      float[] got = c.clone();
      expected
          .recurrence()
          .withPackedMatrix(
              inner,
              columns,
              transposed,
              b,
              factor -> factor.multiplyAdd(rows, a, new Slice<>(wanted, 2)));
      actual
          .recurrence()
          .withPackedMatrix(
              inner,
              columns,
              transposed,
              b,
              factor -> factor.multiplyAdd(rows, a, new Slice<>(got, 2)));
      requireSame(
          "[%d, %d] times %d columns".formatted(rows, inner, columns),
          ROUNDINGS * inner,
          wanted,
          got);
    }
  }

  private float[] randoms(int length, double scale) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-scale, scale);
    }
    return values;
  }
}
