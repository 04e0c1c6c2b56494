// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Mean and variance of each group of values. They are not rounded to the values' type: a mean may
/// be much greater than the deviations from it.
///
/// @param mean of each group
/// @param variance of each group, divided by the number of its values
public record Moments(double[] mean, double[] variance) {
  /// Room for so many groups.
  public static Moments ofGroups(int groups) {
    return new Moments(new double[groups], new double[groups]);
  }
}
