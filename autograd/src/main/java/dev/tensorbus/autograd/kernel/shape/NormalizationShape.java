// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// Defines which values of a normalization share a mean and a variance (a group), and which share a
/// weight and a bias (a channel). Offset `i` belongs to group `i / size % groups` and to channel `i
/// / inner % channels`.
///
/// In layer normalization of rows, each column is a channel: `inner` is 1 and `channels` is `size`.
/// In batch normalization, the groups are the channels. In group normalization, a group consists of
/// several channels of one example.
///
/// @param groups the number of means and variances
/// @param size the number of contiguous values of a group
/// @param channels the number of weights and biases
/// @param inner the number of contiguous values of a channel
/// @param epsilon the constant added to the variance
public record NormalizationShape(int groups, int size, int channels, int inner, double epsilon) {
  /// Returns the group of an offset.
  public int group(int position) {
    return position / size % groups;
  }

  /// Returns the channel of an offset.
  public int channel(int position) {
    return position / inner % channels;
  }

  /// Returns the factor that scales the deviations of a group to a variance of 1.
  public double factor(double variance) {
    return 1 / Math.sqrt(variance + epsilon);
  }
}
