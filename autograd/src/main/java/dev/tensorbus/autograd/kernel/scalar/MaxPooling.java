// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.shape.PoolingShape;

/// [dev.tensorbus.autograd.kernel.Arithmetic#maxPool]: the specification, and the same for float32,
/// which is used as it is for most windows.
final class MaxPooling {
  private MaxPooling() {}

  static void run(PoolingShape shape, double[] x, double[] y, int[] positions) {
    int outputWidth = shape.outputWidth();
    for (int output = 0; output < shape.outputs(); output++) {
      int row = output / outputWidth;
      int plane = row / shape.outputHeight();
      int top = plane * shape.height() + row % shape.outputHeight() * shape.window();
      int corner = top * shape.width() + output % outputWidth * shape.window();
      int position = greatest(shape, x, corner);
      positions[output] = position;
      y[output] = x[position];
    }
  }

  /// Where the greatest value of the window at `corner` lies.
  private static int greatest(PoolingShape shape, double[] x, int corner) {
    int best = corner;
    for (int i = 0; i < shape.window(); i++) {
      for (int j = 0; j < shape.window(); j++) {
        int position = corner + i * shape.width() + j;
        if (x[position] > x[best] || (Double.isNaN(x[position]) && !Double.isNaN(x[best]))) {
          best = position;
        }
      }
    }
    return best;
  }

  static void run(PoolingShape shape, float[] x, float[] y, int[] positions) {
    int outputWidth = shape.outputWidth();
    for (int output = 0; output < shape.outputs(); output++) {
      int row = output / outputWidth;
      int plane = row / shape.outputHeight();
      int top = plane * shape.height() + row % shape.outputHeight() * shape.window();
      int corner = top * shape.width() + output % outputWidth * shape.window();
      int position = greatest(shape, x, corner);
      positions[output] = position;
      y[output] = x[position];
    }
  }

  /// Where the greatest value of the window at `corner` lies.
  private static int greatest(PoolingShape shape, float[] x, int corner) {
    int best = corner;
    for (int i = 0; i < shape.window(); i++) {
      for (int j = 0; j < shape.window(); j++) {
        int position = corner + i * shape.width() + j;
        if (x[position] > x[best] || (Float.isNaN(x[position]) && !Float.isNaN(x[best]))) {
          best = position;
        }
      }
    }
    return best;
  }
}
