// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import java.util.Arrays;

/// The reference implementation of [dev.tensorbus.autograd.kernel.Arithmetic#sumRows] and
/// [dev.tensorbus.autograd.kernel.Arithmetic#maxRows] for float64, and sums for float32. The sums
/// over rows read `x` from front to back; reading it column by column would load each cache line
/// many times.
final class RowReductions {
  /// Several rows are added at once, each to a separate set of sums, if they have at most this many
  /// values in total.
  private static final int SHORT_ROW = 64;

  private RowReductions() {}

  static void sum(int rows, int columns, double[] x, double[] sums) {
    Arrays.fill(sums, 0);
    for (int block = 0; block < sums.length; block += columns) {
      for (int start = block * rows; start < (block + columns) * rows; start += columns) {
        for (int j = 0; j < columns; j++) {
          sums[block + j] += x[start + j];
        }
      }
    }
  }

  static void sum(int rows, int columns, float[] x, float[] sums) {
    int together = Math.clamp(SHORT_ROW / Math.max(1, columns), 1, Math.max(1, rows));
    double[] exact = new double[together * columns];
    for (int block = 0; block < sums.length; block += columns) {
      Arrays.fill(exact, 0);
      int end = (block + columns) * rows;
      for (int start = block * rows; start < end; start += exact.length) {
        int count = Math.min(exact.length, end - start);
        for (int j = 0; j < count; j++) {
          exact[j] += x[start + j];
        }
      }
      for (int i = columns; i < exact.length; i++) {
        exact[i % columns] += exact[i];
      }
      for (int j = 0; j < columns; j++) {
        sums[block + j] = (float) exact[j];
      }
    }
  }

  static void max(int rows, int columns, double[] x, double[] y, int[] positions) {
    for (int i = 0; i < y.length; i++) {
      int best = i / columns * columns * rows + i % columns;
      int end = best + rows * columns;
      for (int at = best + columns; at < end; at += columns) {
        if (x[at] > x[best] || (Double.isNaN(x[at]) && !Double.isNaN(x[best]))) {
          best = at;
        }
      }
      positions[i] = best;
      y[i] = x[best];
    }
  }

  /// Returns the sum of a range. It uses four accumulators, since each addition has a latency of
  /// four cycles.
  static double sum(float[] x, int first, int end) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = first;
    for (; i < end - 3; i += 4) {
      a += x[i];
      b += x[i + 1];
      c += x[i + 2];
      d += x[i + 3];
    }
    for (; i < end; i++) {
      a += x[i];
    }
    return a + b + (c + d);
  }
}
