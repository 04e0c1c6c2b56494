// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Values that go to other places.
final class LayoutComparison extends Comparison {
  LayoutComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      layout(size);
    }
  }

  private void layout(int n) {
    float[] x = randoms(12 * n);
    float[] edges = edges(12 * n);
    int[] places = random.ints(12 * n, 0, n).toArray();
    compare("addAt", 48, n, (k, y) -> k.addAt(places, x, y));
    compare("takeAt", 0, 12 * n, (k, y) -> takeAt(k, edges, places, y));
    compare("transpose of rows", 0, 12 * n, (k, y) -> k.transpose(12, n, edges, y));
    compare("transpose of blocks", 0, 12 * n, (k, y) -> k.transpose(n, 4, edges, y));
    float[] wide = edges(2 * 133 * n);
    compare("transpose of tiles", 0, wide.length, (k, y) -> k.transpose(133, n, wide, y));
  }

  /// From the second value on, and not to the first one.
  private static void takeAt(Kernels k, float[] x, int[] places, float[] y) {
    k.takeAt(x, 1, places, places.length - 1, y, 1);
  }
}
