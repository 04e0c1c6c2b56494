// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The mean and variance of each group of values. They are not rounded to the type of the values,
/// since a mean may be much larger than the deviations from it.
///
/// @param mean the mean of each group
/// @param variance the (biased) variance of each group
public record Moments(double[] mean, double[] variance) {
  /// Creates arrays for the given number of groups.
  public static Moments ofGroups(int groups) {
    return new Moments(new double[groups], new double[groups]);
  }
}
