// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// The axes that an operation such as [Tensor#sumOver] takes together: `Axes.of(0, 2).keepDim()`.
///
/// @param numbers the axes; negative ones count from the end
/// @param keepsDim whether they stay in the result, with size 1
public record Axes(int[] numbers, boolean keepsDim) {
  /// Keeps a copy.
  public Axes {
    numbers = numbers.clone();
  }

  /// These axes, which the result then lacks.
  public static Axes of(int... numbers) {
    return new Axes(numbers, false);
  }

  /// The same axes, which stay in the result with size 1. After torch's `keepdim=True`.
  public Axes keepDim() {
    return new Axes(numbers, true);
  }
}
