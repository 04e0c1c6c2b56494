// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// Finds NaN and infinity among gradients.
public final class FiniteCheck {
  private FiniteCheck() {}

  /// Whether all of a gradient's values are finite.
  public static boolean isFinite(Tensor gradient) {
    SparseRows rows = gradient.sparseRows();
    Tensor values = rows == null ? gradient : rows.values();
    // The sum is the fastest kernel that reads all. A finite sum has finite terms; only one that is
    // not, which large finite terms make too, needs a look at each.
    return Double.isFinite(values.sum().itemDouble()) || areFinite(values);
  }

  private static boolean areFinite(Tensor values) {
    return Arrays.stream(values.to(DType.FLOAT64).doubles()).allMatch(Double::isFinite);
  }
}
