// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.shape.PoolingWindows;
import dev.tensorbus.autograd.kernel.shape.Window;

/// Poolings: maxima, means and their gradients.
final class PoolingComparison extends Comparison {
  PoolingComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    pooling(3, new Window(24, 2, 2, 0, 1), new Window(24, 2, 2, 0, 1));
    pooling(2, new Window(9, 2, 2, 0, 1), new Window(70, 2, 2, 0, 1));
    pooling(2, new Window(9, 3, 3, 0, 1), new Window(7, 3, 3, 0, 1));
    pooling(3, new Window(15, 3, 2, 1, 1), new Window(41, 3, 2, 1, 1));
    pooling(2, new Window(8, 2, 5, 1, 1), new Window(70, 5, 1, 2, 3));
    pooling(2, new Window(19, 4, 1, 2, 3), new Window(3, 1, 1, 0, 1));
    pooling(2, new Window(5, 2, 1, 1, 5), new Window(9, 2, 3, 0, 1));
    pooling(1, new Window(1, 1, 1, 0, 1), new Window(1, 1, 1, 0, 1));
    pooling(0, new Window(4, 2, 2, 0, 1), new Window(4, 2, 2, 0, 1));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(9, 4), PoolingWindows.adaptive(70, 18)));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(3, 5), PoolingWindows.adaptive(35, 1)));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(3, 0), PoolingWindows.adaptive(3, 2)));
  }

  @Override
  void runLarge() {
    pooling(1000, new Window(20, 3, 2, 1, 1), new Window(20, 2, 2, 0, 1));
  }

  private void pooling(int planes, Window rows, Window columns) {
    PoolingWindows down = PoolingWindows.sliding(rows);
    pooling(new PoolingShape(planes, down, PoolingWindows.sliding(columns)));
  }

  private void pooling(PoolingShape shape) {
    int n = shape.planes() * shape.pixels();
    int taps = shape.rows().taps() * shape.columns().taps();
    String what = shape.rows().count() + " x " + shape.columns().count() + " windows of " + taps;
    for (float[] x : new float[][] {randoms(n), edges(n), new float[n]}) {
      compare(what, 0, shape.outputs(), (k, y) -> k.maxPool(shape, x, y, ints(shape)));
      compare("positions", 0, shape.outputs(), (k, y) -> positions(k, shape, x, y));
      compare(what, taps + 1, shape.outputs(), (k, y) -> k.avgPool(shape, x, y));
    }
    for (float[] gradient : new float[][] {randoms(shape.outputs()), edges(shape.outputs())}) {
      compare(what, taps + 1, n, (k, dx) -> k.avgPoolGradient(shape, gradient, dx));
    }
  }

  private static int[] ints(PoolingShape shape) {
    return new int[shape.outputs()];
  }

  private static void positions(Kernels kernels, PoolingShape shape, float[] x, float[] y) {
    int[] positions = ints(shape);
    kernels.maxPool(shape, x, new float[y.length], positions);
    for (int i = 0; i < y.length; i++) {
      y[i] = positions[i];
    }
  }
}
