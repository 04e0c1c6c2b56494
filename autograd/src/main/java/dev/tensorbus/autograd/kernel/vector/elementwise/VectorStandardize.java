// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.vector.product.LaneSums;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Groups of values with mean 0 and variance 1, and the gradient of that. A group is pieces of
/// `size` values that lie side by side, one piece in each of several blocks of `groups` pieces;
/// one thread computes it whole.
public record VectorStandardize(int size, int groups, double epsilon) {
  /// Values that are worth waking a thread: about 30 microseconds.
  private static final int SMALLEST_SHARE = 1 << 16;

  /// Values whose products are summed in float before their sum goes to a double.
  private static final int SUMMED_AT_ONCE = 1024;

  /// Whether the pieces are long enough for vectors, or single values, which are columns.
  public boolean isFast() {
    return size >= LANES || areColumns();
  }

  private boolean areColumns() {
    return size == 1 && groups > 0;
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#standardize].
  public void run(Parallel parallel, float[] x, float[] mean, float[] variance, float[] y) {
    if (areColumns()) {
      new ColumnStandardize(groups, epsilon).run(x, mean, variance, y);
      return;
    }
    forEachGroup(
        parallel,
        x.length,
        (group, lanes) -> {
          float centre = (float) (sum(x, group, lanes) * groups / x.length);
          mean[group] = centre;
          for (int start = group * size; start < x.length; start += groups * size) {
            for (int i = start; i < start + size; i++) {
              y[i] = x[i] - centre;
            }
          }
          // The mean is rounded, which shows where it is much greater than the deviations.
          double rest = sum(y, group, lanes) * groups / x.length;
          double square = sumOfProducts(y, y, group, lanes) * groups / x.length;
          variance[group] = (float) (square - rest * rest);
          float factor = factor(variance[group]);
          float shift = (float) -rest * factor;
          for (int start = group * size; start < x.length; start += groups * size) {
            for (int i = start; i < start + size; i++) {
              y[i] = Math.fma(y[i], factor, shift);
            }
          }
        });
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#standardizeGradient].
  public void runGradient(
      Parallel parallel, float[] y, float[] variance, float[] gradient, float[] xGradient) {
    if (areColumns()) {
      new ColumnStandardize(groups, epsilon).runGradient(y, variance, gradient, xGradient);
      return;
    }
    forEachGroup(
        parallel,
        y.length,
        (group, lanes) -> {
          float mean = (float) (sum(gradient, group, lanes) * groups / y.length);
          float slope = (float) (sumOfProducts(gradient, y, group, lanes) * groups / y.length);
          float factor = factor(variance[group]);
          for (int start = group * size; start < y.length; start += groups * size) {
            for (int i = start; i < start + size; i++) {
              xGradient[i] = (gradient[i] - mean - y[i] * slope) * factor;
            }
          }
        });
  }

  private float factor(float variance) {
    return (float) (1 / Math.sqrt(variance + epsilon));
  }

  @FunctionalInterface
  private interface Group {
    /// @param lanes room for one vector
    void run(int group, float[] lanes);
  }

  private void forEachGroup(Parallel parallel, int length, Group body) {
    parallel.divide(
        groups,
        Math.max(1, (int) ((long) SMALLEST_SHARE * groups / Math.max(1, length))),
        (first, end) -> {
          float[] lanes = new float[LANES];
          for (int group = first; group < end; group++) {
            body.run(group, lanes);
          }
        });
  }

  private double sum(float[] x, int group, float[] lanes) {
    double sum = 0;
    for (int start = group * size; start < x.length; start += groups * size) {
      for (int i = start; i < start + size; i += SUMMED_AT_ONCE) {
        int end = Math.min(start + size, i + SUMMED_AT_ONCE);
        sum += VectorElementwise.sum(x, i, end, lanes);
      }
    }
    return sum;
  }

  private double sumOfProducts(float[] a, float[] b, int group, float[] lanes) {
    double sum = 0;
    for (int start = group * size; start < a.length; start += groups * size) {
      for (int i = start; i < start + size; i += SUMMED_AT_ONCE) {
        int end = Math.min(start + size, i + SUMMED_AT_ONCE);
        sum += sumOfProducts(a, b, i, end, lanes);
      }
    }
    return sum;
  }

  /// As [VectorElementwise#sum], lane by lane.
  private static double sumOfProducts(float[] a, float[] b, int first, int end, float[] lanes) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    int i = first;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      s0 = FloatVector.fromArray(SPECIES, a, i).fma(FloatVector.fromArray(SPECIES, b, i), s0);
      s1 =
          FloatVector.fromArray(SPECIES, a, i + LANES)
              .fma(FloatVector.fromArray(SPECIES, b, i + LANES), s1);
    }
    for (; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      s0 =
          FloatVector.fromArray(SPECIES, a, i, present)
              .fma(FloatVector.fromArray(SPECIES, b, i, present), s0);
    }
    s0.add(s1).intoArray(lanes, 0);
    return LaneSums.sum(lanes, 0);
  }
}
