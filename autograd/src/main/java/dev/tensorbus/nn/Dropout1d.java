// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Leaves whole channels of `[n, c, steps]` out at random in training; in evaluation it changes
/// nothing. After `torch.nn.Dropout1d`.
public final class Dropout1d extends Layer {
  private final Dropout2d dropout;

  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public Dropout1d(float probability, RandomGenerator random) {
    dropout = child("dropout", new Dropout2d(probability, random));
  }

  /// The shape stays the same.
  ///
  /// @throws ShapeException if there are not three axes
  public Tensor forward(Tensor x) {
    return dropout.forward(x.unsqueeze(-1)).squeeze(-1);
  }
}
