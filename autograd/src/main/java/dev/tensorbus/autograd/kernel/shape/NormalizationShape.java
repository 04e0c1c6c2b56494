// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// Which values share a mean and a variance, and which a weight and a bias. Position `i` belongs to
/// group `i / size % groups` and to channel `i / inner % channels`.
///
/// Layer normalization of rows has a channel for each position: `inner` is 1 and `channels` is
/// `size`. The groups of batch normalization are its channels. A group of group normalization is
/// several channels of one example.
///
/// @param groups how many means and variances there are
/// @param size how many values of one group lie side by side
/// @param channels how many weights and biases there are
/// @param inner how many values of one channel lie side by side
/// @param epsilon is added to the variance
public record NormalizationShape(int groups, int size, int channels, int inner, double epsilon) {
  /// The group of a position.
  public int group(int position) {
    return position / size % groups;
  }

  /// The channel of a position.
  public int channel(int position) {
    return position / inner % channels;
  }

  /// The factor that brings the variance of a group to 1.
  public double factor(double variance) {
    return 1 / Math.sqrt(variance + epsilon);
  }
}
