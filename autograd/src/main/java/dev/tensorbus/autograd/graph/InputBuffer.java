// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Accumulates the gradients of a function's outputs and counts the answers still expected, one for
/// each use of an output. Like torch's `InputBuffer` and its dependency counts.
final class InputBuffer {
  private final @Nullable GradientSum[] sums;
  private int dependencies;
  private boolean hasGradient;

  /// @param outputs the number of results of the function
  InputBuffer(int outputs) {
    this.sums = new GradientSum[outputs];
  }

  /// Increments the number of expected answers.
  void expect() {
    dependencies++;
  }

  /// Records an answer.
  ///
  /// @return whether it was the last one expected
  boolean answer() {
    return --dependencies == 0;
  }

  /// Returns, for each output, the sum of its gradients, or null if it has none. No gradient may be
  /// added afterwards.
  @Nullable Tensor[] sums() {
    @Nullable Tensor[] totals = new Tensor[sums.length];
    for (int output = 0; output < sums.length; output++) {
      GradientSum sum = sums[output];
      totals[output] = sum == null ? null : sum.total();
    }
    return totals;
  }

  /// Returns whether any output has a gradient.
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
