// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.vector.product.Panels;

/// Softmax, its logarithm and their gradients. All rows that fit a block go through the exponential
/// together, so short rows fill vectors too.
///
/// @param columns values of a row
/// @param block the rows' exponentials
/// @param lanes room for one vector
public record VectorSoftmax(int columns, float[] block, float[] lanes) {
  private static final int BLOCK = 1024;

  /// Values that are worth waking a thread.
  private static final int SMALLEST_SHARE = 1 << 14;

  /// Computes the rows from `first` to `end`.
  @FunctionalInterface
  private interface Rows {
    void run(VectorSoftmax rows, int first, int end);
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#softmax].
  public static void softmax(Parallel parallel, float[] x, int columns, float[] y) {
    forEachBlock(parallel, columns, y.length, (rows, first, end) -> rows.softmax(x, y, first, end));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#logSoftmax].
  public static void logSoftmax(Parallel parallel, float[] x, int columns, float[] y) {
    forEachBlock(
        parallel, columns, y.length, (rows, first, end) -> rows.logSoftmax(x, y, first, end));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#softmaxGradient].
  public static void softmaxGradient(
      Parallel parallel, float[] y, float[] gradient, int columns, float[] xGradient) {
    forEachBlock(
        parallel,
        columns,
        y.length,
        (rows, first, end) -> rows.softmaxGradient(y, gradient, xGradient, first, end));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#logSoftmaxGradient].
  public static void logSoftmaxGradient(
      Parallel parallel, float[] y, float[] gradient, int columns, float[] xGradient) {
    forEachBlock(
        parallel,
        columns,
        y.length,
        (rows, first, end) -> rows.logSoftmaxGradient(y, gradient, xGradient, first, end));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#logSumExp].
  public static void logSumExp(Parallel parallel, float[] x, int columns, double[] logSums) {
    forEachBlock(
        parallel,
        columns,
        logSums.length * columns,
        (rows, first, end) -> rows.logSumExp(x, logSums, first, end));
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#scaledSoftmax].
  public static void scaledSoftmax(
      Parallel parallel, float[] x, int columns, double factor, float[] y, double[] logSums) {
    forEachBlock(
        parallel,
        columns,
        y.length,
        (rows, first, end) -> rows.scaledSoftmax(x, factor, y, logSums, first, end));
  }

  private static void forEachBlock(Parallel parallel, int columns, int length, Rows action) {
    int rows = columns == 0 ? 0 : length / columns;
    int together = Math.clamp(BLOCK / Math.max(1, columns), 1, Math.max(1, rows));
    parallel.divide(
        rows,
        Math.max(1, SMALLEST_SHARE / Math.max(1, columns)),
        (first, end) -> {
          float[] block = new float[Panels.padded(together * columns, LANES)];
          VectorSoftmax softmax = new VectorSoftmax(columns, block, new float[LANES]);
          for (int row = first; row < end; row += together) {
            action.run(softmax, row, Math.min(end, row + together));
          }
        });
  }

  private void softmax(float[] x, float[] y, int first, int end) {
    expLowered(x, first, end, new float[end - first]);
    for (int row = first; row < end; row++) {
      int from = (row - first) * columns;
      float sum = (float) sum(from);
      for (int j = 0; j < columns; j++) {
        y[row * columns + j] = block[from + j] / sum;
      }
    }
  }

  private void logSoftmax(float[] x, float[] y, int first, int end) {
    float[] greatest = new float[end - first];
    expLowered(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      float max = greatest[row - first];
      float logSum = (float) Math.log(sum((row - first) * columns));
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        y[i] = x[i] - max - logSum;
      }
    }
  }

  private void logSumExp(float[] x, double[] logSums, int first, int end) {
    if (columns > BLOCK) {
      logSums[first] = logSumExp(x, first * columns, end * columns);
      return;
    }
    float[] greatest = new float[end - first];
    expLowered(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      logSums[row] = greatest[row - first] + Math.log(sum((row - first) * columns));
    }
  }

  /// The same of a row that is alone in its block: its exponentials stay in the first-level cache
  /// until they are added, some at a time.
  private double logSumExp(float[] x, int first, int end) {
    float greatest = VectorElementwise.max(x, first, end, lanes);
    double sum = 0;
    for (int at = first; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      exp(x, at, count, greatest, 1f, block, 0);
      sum += VectorElementwise.sum(block, 0, count, lanes);
    }
    return greatest + Math.log(sum);
  }

  private void scaledSoftmax(
      float[] x, double factor, float[] y, double[] logSums, int first, int end) {
    if (columns > BLOCK) {
      logSums[first] = scaledSoftmax(x, factor, y, first * columns, end * columns);
      return;
    }
    float[] greatest = new float[end - first];
    expLowered(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      int from = (row - first) * columns;
      double sum = sum(from);
      logSums[row] = greatest[row - first] + Math.log(sum);
      float scale = (float) (factor / sum);
      for (int j = 0; j < columns; j++) {
        y[row * columns + j] = block[from + j] * scale;
      }
    }
  }

  /// The same of a row that is alone in its block, whose exponentials wait for their sum in `y`.
  private double scaledSoftmax(float[] x, double factor, float[] y, int first, int end) {
    float greatest = VectorElementwise.max(x, first, end, lanes);
    double sum = 0;
    for (int at = first; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      exp(x, at, count, greatest, 1f, y, at);
      sum += VectorElementwise.sum(y, at, at + count, lanes);
    }
    float scale = (float) (factor / sum);
    for (int i = first; i < end; i++) {
      y[i] *= scale;
    }
    return greatest + Math.log(sum);
  }

  /// `factor * exp(x - shift)` of `count` values of a row that is alone in its block. The last
  /// values, which fill no vector, go through the block, which is longer than [#BLOCK].
  private void exp(float[] x, int start, int count, float shift, float factor, float[] y, int to) {
    int whole = count / LANES * LANES;
    VectorMath.exp(x, start, shift, factor, y, to, whole);
    if (whole < count) {
      lower(x, start + whole, count - whole, shift, BLOCK);
      VectorMath.exp(block, BLOCK, 0f, factor, block, BLOCK, LANES);
      System.arraycopy(block, BLOCK, y, to + whole, count - whole);
    }
  }

  /// Fills the block. The greatest value of each row is taken out first: exp of the rest cannot
  /// overflow.
  private void expLowered(float[] x, int first, int end, float[] greatest) {
    for (int row = first; row < end; row++) {
      int start = row * columns;
      greatest[row - first] = VectorElementwise.max(x, start, start + columns, lanes);
      lower(x, start, columns, greatest[row - first], (row - first) * columns);
    }
    VectorMath.exp(block, (end - first) * columns);
  }

  /// Puts `count` values from `start` on, each less `shift`, into the block.
  private void lower(float[] x, int start, int count, float shift, int to) {
    for (int j = 0; j < count; j++) {
      block[to + j] = x[start + j] - shift;
    }
  }

  /// The sum of the block's row at `from`.
  private double sum(int from) {
    return VectorElementwise.sum(block, from, from + columns, lanes);
  }

  private void softmaxGradient(float[] y, float[] gradient, float[] xGradient, int first, int end) {
    for (int i = first * columns; i < end * columns; i++) {
      block[i - first * columns] = gradient[i] * y[i];
    }
    for (int row = first; row < end; row++) {
      float sum = (float) sum((row - first) * columns);
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        xGradient[i] = (gradient[i] - sum) * y[i];
      }
    }
  }

  private void logSoftmaxGradient(
      float[] y, float[] gradient, float[] xGradient, int first, int end) {
    System.arraycopy(y, first * columns, block, 0, (end - first) * columns);
    VectorMath.exp(block, (end - first) * columns);
    for (int row = first; row < end; row++) {
      int shift = first * columns;
      float sum =
          (float) VectorElementwise.sum(gradient, row * columns, (row + 1) * columns, lanes);
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        xGradient[i] = gradient[i] - block[i - shift] * sum;
      }
    }
  }
}
