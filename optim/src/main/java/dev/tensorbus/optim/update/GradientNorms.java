// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.function.IntToDoubleFunction;

/// Computes norms of gradients, with sums in float64.
public final class GradientNorms {
  private GradientNorms() {}

  /// Returns the norm of one gradient.
  ///
  /// @param order the norm's `p`, which may be infinity
  public static double of(Tensor gradient, double order) {
    SparseRows rows = gradient.sparseRows();
    Tensor values = rows == null ? gradient : rows.coalesced().values();
    int count = values.shape().elements();
    if (values.dtype() == DType.FLOAT64) {
      double[] x = values.doubles();
      return norm(count, order, i -> x[i]);
    }
    float[] x = values.values();
    return order == 2 ? Math.sqrt(squares(x)) : norm(count, order, i -> x[i]);
  }

  /// Returns the total norm of vectors with these norms.
  public static double total(double[] norms, double order) {
    return norm(norms.length, order, i -> norms[i]);
  }

  private static double norm(int count, double order, IntToDoubleFunction x) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double size = Math.abs(x.applyAsDouble(i));
      sum = Double.isInfinite(order) ? Math.max(sum, size) : sum + power(size, order);
    }
    return Double.isInfinite(order) ? sum : root(sum, order);
  }

  private static double power(double size, double order) {
    return order == 1 ? size : order == 2 ? size * size : Math.pow(size, order);
  }

  private static double root(double sum, double order) {
    return order == 1 ? sum : order == 2 ? Math.sqrt(sum) : Math.pow(sum, 1 / order);
  }

  /// Returns the sum of squares. Uses four accumulators, since an addition has a latency of four
  /// cycles.
  private static double squares(float[] x) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i < x.length - 3; i += 4) {
      a = Math.fma((double) x[i], x[i], a);
      b = Math.fma((double) x[i + 1], x[i + 1], b);
      c = Math.fma((double) x[i + 2], x[i + 2], c);
      d = Math.fma((double) x[i + 3], x[i + 3], d);
    }
    for (; i < x.length; i++) {
      a = Math.fma((double) x[i], x[i], a);
    }
    return a + b + (c + d);
  }
}
