// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

/// The reference implementation of log-softmax and log-sum-exp over rows, and of the gradients of
/// softmax and log-softmax.
final class ScalarSoftmax {
  private ScalarSoftmax() {}

  static void gradient(double[] y, double[] gradient, int columns, double[] xGradient) {
    for (int start = 0; start < y.length; start += columns) {
      double sum = 0;
      for (int j = start; j < start + columns; j++) {
        sum += gradient[j] * y[j];
      }
      for (int j = start; j < start + columns; j++) {
        xGradient[j] = (gradient[j] - sum) * y[j];
      }
    }
  }

  static void log(double[] x, int columns, double[] y) {
    for (int start = 0; start < y.length; start += columns) {
      // The maximum is subtracted first, so that exp cannot overflow.
      double max = Double.NEGATIVE_INFINITY;
      for (int j = start; j < start + columns; j++) {
        max = Math.max(max, x[j]);
      }
      double sum = 0;
      for (int j = start; j < start + columns; j++) {
        sum += Math.exp(x[j] - max);
      }
      double logSum = Math.log(sum);
      for (int j = start; j < start + columns; j++) {
        y[j] = x[j] - max - logSum;
      }
    }
  }

  static void logGradient(double[] y, double[] gradient, int columns, double[] xGradient) {
    for (int start = 0; start < y.length; start += columns) {
      double sum = 0;
      for (int j = start; j < start + columns; j++) {
        sum += gradient[j];
      }
      for (int j = start; j < start + columns; j++) {
        xGradient[j] = sum == 0 ? gradient[j] : gradient[j] - Math.exp(y[j]) * sum;
      }
    }
  }

  static void logSumExp(double[] x, int columns, double[] logSums) {
    for (int row = 0; row < logSums.length; row++) {
      double max = Double.NEGATIVE_INFINITY;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        max = Math.max(max, x[i]);
      }
      double sum = 0;
      for (int i = row * columns; i < (row + 1) * columns; i++) {
        sum += Math.exp(x[i] - max);
      }
      logSums[row] = max + Math.log(sum);
    }
  }
}
