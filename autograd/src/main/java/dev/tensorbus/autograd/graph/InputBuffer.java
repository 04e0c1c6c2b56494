// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Sums up the gradients of one function's outputs until every use of them has answered. After
/// torch's `InputBuffer` and its table of dependencies.
final class InputBuffer {
  private final @Nullable GradientSum[] sums;
  private int dependencies;
  private boolean hasGradient;

  /// @param outputs how many results the function has
  InputBuffer(int outputs) {
    this.sums = new GradientSum[outputs];
  }

  /// Counts one more use that has to answer.
  void expect() {
    dependencies++;
  }

  /// Notes that a use has answered.
  ///
  /// @return whether it was the last one
  boolean answer() {
    return --dependencies == 0;
  }

  /// The sum for each output; null where no gradient came. Nothing is added after it.
  @Nullable Tensor[] sums() {
    @Nullable Tensor[] totals = new Tensor[sums.length];
    for (int output = 0; output < sums.length; output++) {
      GradientSum sum = sums[output];
      totals[output] = sum == null ? null : sum.total();
    }
    return totals;
  }

  /// Whether any gradient came.
  boolean hasGradient() {
    return hasGradient;
  }

  /// Adds a gradient of an output, unless there is none.
  void add(int output, @Nullable Tensor gradient) {
    if (gradient == null) {
      return;
    }
    GradientSum sum = sums[output];
    if (sum == null) {
      sum = new GradientSum();
      sums[output] = sum;
    }
    sum.add(gradient);
    hasGradient = true;
  }
}
