// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import java.util.Arrays;

/// [dev.tensorbus.autograd.kernel.Arithmetic#standardize] over the rows of a matrix, as batch
/// normalization of `[n, channels]` does: a group is a column. It goes from front to back, in plain
/// loops over rows that C2 turns into vectors, with sums in double precision.
///
/// @param columns how many groups
/// @param epsilon is added to the variance
public record ColumnStandardize(int columns, double epsilon) {
  /// Writes the standardized values, and each column's mean and variance.
  public void run(float[] x, float[] mean, float[] variance, float[] y) {
    double[] means = new double[columns];
    for (int start = 0; start < x.length; start += columns) {
      for (int j = 0; j < columns; j++) {
        means[j] += x[start + j];
      }
    }
    int rows = x.length / columns;
    divide(means, rows);
    double[] variances = new double[columns];
    for (int start = 0; start < x.length; start += columns) {
      for (int j = 0; j < columns; j++) {
        double deviation = x[start + j] - means[j];
        variances[j] += deviation * deviation;
      }
    }
    divide(variances, rows);
    double[] factors = factors(variances);
    for (int start = 0; start < x.length; start += columns) {
      for (int j = 0; j < columns; j++) {
        y[start + j] = (float) ((x[start + j] - means[j]) * factors[j]);
      }
    }
    round(means, mean);
    round(variances, variance);
  }

  /// Writes the gradient of `x`.
  public void runGradient(float[] y, float[] variance, float[] gradient, float[] xGradient) {
    double[] means = new double[columns];
    double[] slopes = new double[columns];
    for (int start = 0; start < y.length; start += columns) {
      for (int j = 0; j < columns; j++) {
        means[j] += gradient[start + j];
        slopes[j] += (double) gradient[start + j] * y[start + j];
      }
    }
    int rows = y.length / columns;
    divide(means, rows);
    divide(slopes, rows);
    double[] variances = new double[columns];
    for (int j = 0; j < columns; j++) {
      variances[j] = variance[j];
    }
    double[] factors = factors(variances);
    for (int start = 0; start < y.length; start += columns) {
      for (int j = 0; j < columns; j++) {
        double centred = gradient[start + j] - means[j] - y[start + j] * slopes[j];
        xGradient[start + j] = (float) (centred * factors[j]);
      }
    }
  }

  private double[] factors(double[] variances) {
    return Arrays.stream(variances).map(variance -> 1 / Math.sqrt(variance + epsilon)).toArray();
  }

  private static void divide(double[] sums, int count) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] /= count;
    }
  }

  private static void round(double[] exact, float[] values) {
    for (int j = 0; j < values.length; j++) {
      values[j] = (float) exact[j];
    }
  }
}
