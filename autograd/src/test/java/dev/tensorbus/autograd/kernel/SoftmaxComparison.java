// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Softmax of rows, its logarithm and their gradients.
final class SoftmaxComparison extends Comparison {
  SoftmaxComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      softmax(size);
    }
  }

  @Override
  void runLarge() {
    logSoftmaxOf(randoms(100_000));
    longRowsOf(randoms(50_000));
    longRowsOf(edges(50_000));
  }

  private void softmax(int n) {
    float[] x = randoms(12 * n);
    float[] edges = edges(12 * n);
    compare("softmax", 4, 12 * n, (k, y) -> k.softmax(x, n, y));
    compare("softmaxGradient", n + 4, 12 * n, (k, y) -> k.softmaxGradient(x, x, n, y));
    compare("softmax of edges", 4, 12 * n, (k, y) -> k.softmax(edges, n, y));
    compare("logSoftmax of edges", n + 4, 12 * n, (k, y) -> k.logSoftmax(edges, n, y));
    compare("logSoftmax", n, 12 * n, (k, y) -> k.logSoftmax(x, n, y));
    compare("logSoftmaxGradient", n, 12 * n, (k, y) -> k.logSoftmaxGradient(x, x, n, y));
    compare("logSumExp", n, 12, (k, y) -> rounded(y, sums -> k.logSumExp(x, n, sums)));
    compare("logSumExp of edges", n, 12, (k, y) -> rounded(y, s -> k.logSumExp(edges, n, s)));
    scaledSoftmax(x, n);
    scaledSoftmax(edges, n);
  }

  private void logSoftmaxOf(float[] x) {
    compare("logSoftmax", 100, x.length, (k, y) -> k.logSoftmax(x, 100, y));
    compare("softmax", 4, x.length, (k, y) -> k.softmax(x, 10, y));
    compare("logSumExp", 100, x.length / 100, (k, y) -> rounded(y, s -> k.logSumExp(x, 100, s)));
    scaledSoftmax(x, 100);
  }

  private void longRowsOf(float[] x) {
    compare("logSumExp of long rows", 2500, 20, (k, y) -> rounded(y, s -> k.logSumExp(x, 2500, s)));
    scaledSoftmax(x, 2500);
    compare("softmax of long rows", 4, x.length, (k, y) -> k.softmax(x, 2500, y));
    compare("its gradient", 2500, x.length, (k, y) -> k.softmaxGradient(x, x, 2500, y));
    compare("logSoftmax of long rows", 100, x.length, (k, y) -> k.logSoftmax(x, 2500, y));
    compare("its gradient", 2500, x.length, (k, y) -> k.logSoftmaxGradient(x, x, 2500, y));
  }

  private void scaledSoftmax(float[] x, int n) {
    int rows = x.length / n;
    compare(
        "scaledSoftmax", 4, x.length, (k, y) -> k.scaledSoftmax(x, n, -0.3, y, new double[rows]));
    compare(
        "sums of scaledSoftmax",
        n,
        rows,
        (k, y) -> rounded(y, sums -> k.scaledSoftmax(x, n, 2, new float[x.length], sums)));
  }
}
