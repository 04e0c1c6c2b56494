// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import org.jspecify.annotations.Nullable;

/// Sums up the gradients of one function's outputs until every use of them has answered. After
/// torch's `InputBuffer` and its table of dependencies.
final class InputBuffer {
  private final @Nullable Tensor[] sums;
  private final boolean[] isOwnSum;
  private int dependencies;
  private boolean hasGradient;

  /// @param outputs how many results the function has
  InputBuffer(int outputs) {
    this.sums = new Tensor[outputs];
    this.isOwnSum = new boolean[outputs];
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

  /// The sum for each output; null where no gradient came.
  @Nullable Tensor[] sums() {
    return sums;
  }

  /// Whether any gradient came.
  boolean hasGradient() {
    return hasGradient;
  }

  /// Nobody else has seen a sum that was made here, so later gradients are added to it in place: a
  /// weight that is used a hundred times has one array of sums, not a hundred.
  void add(int output, @Nullable Tensor gradient) {
    if (gradient == null) {
      return;
    }
    Tensor sum = sums[output];
    hasGradient = true;
    if (sum == null) {
      sums[output] = gradient;
    } else if (!isOwnSum[output]) {
      sums[output] = sum.add(gradient);
      isOwnSum[output] = true;
    } else if (!addInPlace(sum, gradient)) {
      sums[output] = sum.add(gradient);
    }
  }

  /// @return whether it did; sparse sums and other types are added elsewhere
  private static boolean addInPlace(Tensor sum, Tensor gradient) {
    boolean fits = sum.dtype() == gradient.dtype() && sum.shape().equals(gradient.shape());
    if (!fits || sum.sparseRows() != null) {
      return false;
    }
    switch (sum.storage()) {
      case float[] values -> Kernels.best().add(values, (float[]) gradient.storage(), values);
      case double[] values ->
          DoubleKernels.INSTANCE.add(values, (double[]) gradient.storage(), values);
      default -> throw new IllegalStateException("no gradient has type " + sum.dtype());
    }
    return true;
  }
}
