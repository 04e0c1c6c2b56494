// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// Checks gradients for NaN and infinity.
public final class FiniteCheck {
  private FiniteCheck() {}

  /// Returns whether all values of a gradient are finite.
  public static boolean isFinite(Tensor gradient) {
    SparseRows rows = gradient.sparseRows();
    Tensor values = rows == null ? gradient : rows.values();
    // The sum is the fastest kernel that reads all values. If it is finite, so are all values. If
    // not, check each value, since large finite values can also overflow the sum.
    return Double.isFinite(values.sum().itemDouble()) || areFinite(values);
  }

  private static boolean areFinite(Tensor values) {
    return Arrays.stream(values.to(DType.FLOAT64).doubles()).allMatch(Double::isFinite);
  }
}
