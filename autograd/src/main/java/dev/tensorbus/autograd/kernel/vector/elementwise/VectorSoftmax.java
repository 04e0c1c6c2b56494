// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.vector.product.Panels;

/// Softmax over rows, its logarithm, and the gradients of both. For short rows, the exponentials of
/// all rows that fit in a block are computed together, so that vectors are filled. Longer rows are
/// processed one by one, block by block.
///
/// @param columns the number of values of a row
/// @param block scratch space for exponentials, which stays in the first-level cache
/// @param lanes scratch space for one vector
public record VectorSoftmax(int columns, float[] block, float[] lanes) {
  private static final int BLOCK = 1024;

  /// Rows of at least this length are processed one by one.
  private static final int ALONE = 128;

  /// The number of values that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 14;

  /// Computes the rows from `first` (inclusive) to `end` (exclusive).
  @FunctionalInterface
  private interface Rows {
    void run(VectorSoftmax rows, int first, int end);
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#softmax].
  public static void softmax(Parallel parallel, float[] x, int columns, float[] y) {
    forEachBlock(
        parallel,
        columns,
        y.length,
        (rows, first, end) -> rows.scaled(x, 1, y, first, end, new float[end - first]));
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
    int together =
        columns < ALONE ? Math.clamp(BLOCK / Math.max(1, columns), 1, Math.max(1, rows)) : 1;
    parallel.divide(
        rows,
        Math.max(1, SMALLEST_SHARE / Math.max(1, columns)),
        (first, end) -> {
          float[] block = new float[Panels.padded(Math.min(BLOCK, together * columns), LANES)];
          VectorSoftmax softmax = new VectorSoftmax(columns, block, new float[LANES]);
          for (int row = first; row < end; row += together) {
            action.run(softmax, row, Math.min(end, row + together));
          }
        });
  }

  private void logSoftmax(float[] x, float[] y, int first, int end) {
    float[] greatest = new float[end - first];
    double[] sums = expSums(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      float max = greatest[row - first];
      float logSum = (float) Math.log(sums[row - first]);
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        y[i] = x[i] - max - logSum;
      }
    }
  }

  private void logSumExp(float[] x, double[] logSums, int first, int end) {
    float[] greatest = new float[end - first];
    double[] sums = expSums(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      logSums[row] = greatest[row - first] + Math.log(sums[row - first]);
    }
  }

  /// Returns, for each row, the sum of `exp(x - max)`, where `max` is the maximum of the row. The
  /// maxima are written to `greatest`.
  private double[] expSums(float[] x, int first, int end, float[] greatest) {
    if (end - first > 1) {
      return expSumsTogether(x, first, end, greatest);
    }
    int start = first * columns;
    greatest[0] = VectorElementwise.max(x, start, start + columns, lanes);
    double sum = 0;
    for (int at = 0; at < columns; at += BLOCK) {
      int count = Math.min(BLOCK, columns - at);
      exp(x, start + at, count, greatest[0], block, 0);
      sum += VectorElementwise.sum(block, 0, count, lanes);
    }
    return new double[] {sum};
  }

  /// Does the same as [#expSums] for several short rows, whose exponentials are left in the block.
  private double[] expSumsTogether(float[] x, int first, int end, float[] greatest) {
    for (int row = first; row < end; row++) {
      int start = row * columns;
      float max = VectorElementwise.max(x, start, start + columns, lanes);
      greatest[row - first] = max;
      lower(x, start, columns, max, (row - first) * columns);
    }
    VectorMath.exp(block, (end - first) * columns);
    double[] sums = new double[end - first];
    for (int row = 0; row < sums.length; row++) {
      int from = row * columns;
      sums[row] = VectorElementwise.sum(block, from, from + columns, lanes);
    }
    return sums;
  }

  private void scaledSoftmax(
      float[] x, double factor, float[] y, double[] logSums, int first, int end) {
    float[] greatest = new float[end - first];
    double[] sums = scaled(x, factor, y, first, end, greatest);
    for (int row = first; row < end; row++) {
      logSums[row] = greatest[row - first] + Math.log(sums[row - first]);
    }
  }

  /// Writes `factor` times the softmax of the rows to `y`. Returns the same sums as [#expSums], and
  /// writes the same maxima to `greatest`.
  private double[] scaled(
      float[] x, double factor, float[] y, int first, int end, float[] greatest) {
    if (end - first == 1) {
      return new double[] {scaledAlone(x, factor, y, first * columns, greatest)};
    }
    double[] sums = expSumsTogether(x, first, end, greatest);
    for (int row = first; row < end; row++) {
      int from = (row - first) * columns;
      float scale = (float) (factor / sums[row - first]);
      for (int j = 0; j < columns; j++) {
        y[row * columns + j] = block[from + j] * scale;
      }
    }
    return sums;
  }

  /// Does the same as [#scaled] for one row. The exponentials are stored in `y` until their sum is
  /// known.
  private double scaledAlone(float[] x, double factor, float[] y, int start, float[] greatest) {
    int end = start + columns;
    greatest[0] = VectorElementwise.max(x, start, end, lanes);
    double sum = 0;
    for (int at = start; at < end; at += BLOCK) {
      int count = Math.min(BLOCK, end - at);
      exp(x, at, count, greatest[0], y, at);
      sum += VectorElementwise.sum(y, at, at + count, lanes);
    }
    float scale = (float) (factor / sum);
    for (int i = start; i < end; i++) {
      y[i] *= scale;
    }
    return sum;
  }

  /// Writes `exp(x - shift)` for `count` values. If the last vector is incomplete, it is computed
  /// in the block, which has room for a whole vector.
  private void exp(float[] x, int start, int count, float shift, float[] y, int to) {
    int whole = count / LANES * LANES;
    VectorMath.exp(x, start, shift, y, to, whole);
    if (whole < count) {
      lower(x, start + whole, count - whole, shift, whole);
      VectorMath.exp(block, whole, 0f, block, whole, LANES);
      System.arraycopy(block, whole, y, to + whole, count - whole);
    }
  }

  /// Writes `count` values of `x`, starting at `start`, to the block after subtracting `shift`.
  private void lower(float[] x, int start, int count, float shift, int to) {
    for (int j = 0; j < count; j++) {
      block[to + j] = x[start + j] - shift;
    }
  }

  private void softmaxGradient(float[] y, float[] gradient, float[] xGradient, int first, int end) {
    for (int row = first; row < end; row++) {
      int start = row * columns;
      float sum = (float) dot(y, gradient, start, start + columns);
      for (int i = start; i < start + columns; i++) {
        xGradient[i] = (gradient[i] - sum) * y[i];
      }
    }
  }

  private double dot(float[] a, float[] b, int start, int end) {
    double sum = 0;
    for (int at = start; at < end; at += BLOCK) {
      sum += VectorElementwise.dot(a, b, at, Math.min(end, at + BLOCK), lanes);
    }
    return sum;
  }

  private void logSoftmaxGradient(
      float[] y, float[] gradient, float[] xGradient, int first, int end) {
    boolean isAlone = end - first == 1;
    if (!isAlone) {
      exp(y, first * columns, (end - first) * columns, 0f, block, 0);
    }
    for (int row = first; row < end; row++) {
      int start = row * columns;
      float sum = (float) VectorElementwise.sum(gradient, start, start + columns, lanes);
      if (sum == 0) {
        System.arraycopy(gradient, start, xGradient, start, columns);
        continue;
      }
      for (int at = start; at < start + columns; at += BLOCK) {
        int count = Math.min(BLOCK, start + columns - at);
        if (isAlone) {
          exp(y, at, count, 0f, block, 0);
        }
        int shift = isAlone ? at : first * columns;
        for (int i = at; i < at + count; i++) {
          xGradient[i] = gradient[i] - block[i - shift] * sum;
        }
      }
    }
  }
}
