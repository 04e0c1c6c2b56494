// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Accumulates the gradients of one function's outputs until every use of them has answered. Like
/// torch's `InputBuffer` and its dependency counts.
final class InputBuffer {
  private final @Nullable GradientSum[] sums;
  private int dependencies;
  private boolean hasGradient;

  /// @param outputs the number of results of the function
  InputBuffer(int outputs) {
    this.sums = new GradientSum[outputs];
  }

  /// Counts one more use that will answer.
  void expect() {
    dependencies++;
  }

  /// Records that a use has answered.
  ///
  /// @return whether it was the last one
  boolean answer() {
    return --dependencies == 0;
  }

  /// Returns the sum for each output; null where there was no gradient. Nothing may be added
  /// afterwards.
  @Nullable Tensor[] sums() {
    @Nullable Tensor[] totals = new Tensor[sums.length];
    for (int output = 0; output < sums.length; output++) {
      GradientSum sum = sums[output];
      totals[output] = sum == null ? null : sum.total();
    }
    return totals;
  }

  /// Returns whether there was any gradient.
  boolean hasGradient() {
    return hasGradient;
  }

  /// Adds a gradient of an output; null is ignored.
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
