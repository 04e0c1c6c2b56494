// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.shape.PoolingShape;

/// Max and average pooling, window by window: the reference implementation for float64, and a
/// float32 version that rounds its results.
final class Pooling {
  private Pooling() {}

  /// Receives a window: its index, the offset of its plane, the rows (`down`) and columns
  /// (`across`) that it covers, and the divisor of its mean.
  @FunctionalInterface
  private interface Action {
    void accept(int output, int plane, int[] down, int[] across, double count);
  }

  private static void forEach(PoolingShape shape, Action action) {
    int output = 0;
    for (int plane = 0; plane < shape.planes(); plane++) {
      for (int row = 0; row < shape.rows().count(); row++) {
        for (int column = 0; column < shape.columns().count(); column++) {
          double count = (double) shape.rows().divisors()[row] * shape.columns().divisors()[column];
          int[] down = shape.rows().places()[row];
          int[] across = shape.columns().places()[column];
          action.accept(output++, plane * shape.pixels(), down, across, count);
        }
      }
    }
  }

  static void max(PoolingShape shape, double[] x, double[] y, int[] positions) {
    int width = shape.columns().size();
    forEach(
        shape,
        (output, plane, down, across, count) -> {
          int best = plane + down[0] * width + across[0];
          for (int row : down) {
            for (int column : across) {
              int position = plane + row * width + column;
              if (x[position] > x[best] || (Double.isNaN(x[position]) && !Double.isNaN(x[best]))) {
                best = position;
              }
            }
          }
          positions[output] = best;
          y[output] = x[best];
        });
  }

  static void max(PoolingShape shape, float[] x, float[] y, int[] positions) {
    double[] exact = new double[y.length];
    max(shape, Rounding.widened(x), exact, positions);
    Rounding.round(exact, y);
  }

  static void average(PoolingShape shape, double[] x, double[] y) {
    int width = shape.columns().size();
    forEach(
        shape,
        (output, plane, down, across, count) -> {
          double sum = 0;
          for (int row : down) {
            for (int column : across) {
              sum += x[plane + row * width + column];
            }
          }
          y[output] = sum / count;
        });
  }

  static void average(PoolingShape shape, float[] x, float[] y) {
    double[] exact = new double[y.length];
    average(shape, Rounding.widened(x), exact);
    Rounding.round(exact, y);
  }

  static void averageGradient(PoolingShape shape, double[] gradient, double[] xGradient) {
    int width = shape.columns().size();
    forEach(
        shape,
        (output, plane, down, across, count) -> {
          for (int row : down) {
            for (int column : across) {
              xGradient[plane + row * width + column] += gradient[output] / count;
            }
          }
        });
  }

  static void averageGradient(PoolingShape shape, float[] gradient, float[] xGradient) {
    double[] sums = Rounding.widened(xGradient);
    averageGradient(shape, Rounding.widened(gradient), sums);
    Rounding.round(sums, xGradient);
  }
}
