// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.Arrays;

/// Sums and maxima of rows and channels.
final class ReductionComparison extends Comparison {
  ReductionComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      single(randoms(size));
      single(edges(size));
      reductions(size);
    }
  }

  @Override
  void runLarge() {
    float[] x = randoms(1_000_000);
    compare("sumChannels", 200_000, 5, (k, sums) -> k.sumChannels(x, 20, sums));
    compare("sum", 1_000_000, 1, (k, y) -> y[0] = (float) k.sum(x));
  }

  /// One value in each row.
  private void single(float[] a) {
    int n = a.length;
    float[] thrice = repeated(a, 3);
    compare("maxRows", 0, 3, (k, y) -> k.maxRows(n, 1, thrice, y, new int[3]));
    compare("maxRows' positions", 0, 3, (k, y) -> rowPositions(k, n, 1, thrice, y));
  }

  private void reductions(int n) {
    float[] x = randoms(12 * n);
    float[] edges = edges(12 * n);
    compare("sum", 12 * n, 1, (k, y) -> y[0] = (float) k.sum(x));
    compare("fillChannels", 0, 12 * n, (k, y) -> k.fillChannels(Arrays.copyOf(x, 3), n, y));
    compare("sumChannels", 4 * n, 3, (k, y) -> k.sumChannels(x, n, y));
    compare("sumChannels of rows", 12, n, (k, y) -> k.sumChannels(x, 1, y));
    compare("sumRows", 11, n, (k, y) -> k.sumRows(11, n, x, y));
    compare("sumRows of blocks", 4, 3 * n, (k, y) -> k.sumRows(4, n, x, y));
    compare("sumRows of short rows", n, 4, (k, y) -> k.sumRows(3 * n, 2, x, y));
    for (float[] values : new float[][] {x, edges}) {
      compare("maxRows", 0, 3 * n, (k, y) -> k.maxRows(4, n, values, y, new int[3 * n]));
      compare("maxRows' positions", 0, 3 * n, (k, y) -> rowPositions(k, 4, n, values, y));
    }
    float[] few = fewEdges(12, n);
    compare("maxRows of few edges", 0, 12, (k, y) -> k.maxRows(n, 1, few, y, new int[12]));
    compare("maxRows' positions of few edges", 0, 12, (k, y) -> rowPositions(k, n, 1, few, y));
    compare("deviations", n + 4, 12 * n, (k, y) -> k.deviations(x, n, y, new double[12]));
    compare("squares", 4, 12, (k, y) -> rounded(y, sums -> k.deviations(x, n, x.clone(), sums)));
  }

  private static void rowPositions(Kernels kernels, int rows, int columns, float[] x, float[] y) {
    int[] positions = new int[y.length];
    kernels.maxRows(rows, columns, x, new float[y.length], positions);
    for (int row = 0; row < y.length; row++) {
      y[row] = positions[row];
    }
  }
}
