// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.RandomOps;
import java.util.random.RandomGenerator;

/// Leaves values out at random, as [Tensor#dropout] does, for other parts at once or around another
/// value. Equal generators make equal choices.
public final class Dropouts {
  private Dropouts() {}

  /// Leaves whole channels of `[n, c, steps]` out. After `torch.nn.functional.dropout1d`.
  ///
  /// @throws ShapeException if there are not three axes
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor dropout1d(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout1d", 3, x, probability, random);
  }

  /// Leaves whole channels of `[n, c, d, h, w]` out. After `torch.nn.functional.dropout3d`.
  ///
  /// @throws ShapeException if there are not five axes
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor dropout3d(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.dropoutChannels("dropout3d", 5, x, probability, random);
  }

  /// Gives values SELU's lower limit instead of leaving them out, so that inputs of mean 0 and
  /// variance 1 stay so: Klambauer et al., "Self-Normalizing Neural Networks" (2017). After
  /// `torch.nn.functional.alpha_dropout`.
  ///
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor alphaDropout(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.alphaDropout(x, probability, random);
  }

  /// The same for whole channels of `[n, c, …]`. After
  /// `torch.nn.functional.feature_alpha_dropout`.
  ///
  /// @throws ShapeException if there are not two axes or more
  /// @throws IllegalArgumentException if the probability is not in `[0, 1)`
  public static Tensor featureAlphaDropout(Tensor x, float probability, RandomGenerator random) {
    return RandomOps.featureAlphaDropout(x, probability, random);
  }
}
