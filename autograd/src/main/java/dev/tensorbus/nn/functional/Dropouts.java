// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.RandomOps;
import java.util.random.RandomGenerator;

/// Variants of [Tensor#dropout] that drop whole channels, or replace dropped values with a value
/// other than zero. Random generators in the same state produce the same results.
public final class Dropouts {
  private Dropouts() {}

  /// Zeroes whole channels of `[n, c, steps]`. Like `torch.nn.functional.dropout1d`.
  ///
  /// @throws ShapeException if there are not three axes
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor dropout1d(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout1d", 3, x, probability, random);
  }

  /// Zeroes whole channels of `[n, c, d, h, w]`. Like `torch.nn.functional.dropout3d`.
  ///
  /// @throws ShapeException if there are not five axes
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor dropout3d(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout3d", 5, x, probability, random);
  }

  /// Sets dropped values to SELU's lower limit instead of zero, so that an input with mean 0 and
  /// variance 1 retains both: Klambauer et al., "Self-Normalizing Neural Networks" (2017). Like
  /// `torch.nn.functional.alpha_dropout`.
  ///
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor alphaDropout(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.alphaDropout(x, probability, random);
  }

  /// Applies alpha dropout to whole channels of `[n, c, …]`. Like
  /// `torch.nn.functional.feature_alpha_dropout`.
  ///
  /// @throws ShapeException if there are fewer than two axes
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor featureAlphaDropout(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.featureAlphaDropout(x, probability, random);
  }
}
