// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// The axes that an operation such as [Tensor#sumOver] reduces: `Axes.of(0, 2).keepDim()`.
///
/// @param numbers the axes; negative numbers count from the end
/// @param keepsDim whether the reduced axes stay in the result, with size 1
public record Axes(int[] numbers, boolean keepsDim) {
  /// Copies the array.
  public Axes {
    numbers = numbers.clone();
  }

  /// Returns axes that are removed from the result.
  public static Axes of(int... numbers) {
    return new Axes(numbers, false);
  }

  /// Returns a copy whose axes stay in the result with size 1. Like torch's `keepdim=True`.
  public Axes keepDim() {
    return new Axes(numbers, true);
  }
}
