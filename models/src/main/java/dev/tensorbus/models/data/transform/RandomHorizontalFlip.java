// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Flips an image horizontally with a given probability. Like torchvision's `RandomHorizontalFlip`.
public record RandomHorizontalFlip(double probability) implements Transform {
  /// @throws IllegalArgumentException if the probability is not in `[0, 1]`
  public RandomHorizontalFlip {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "random horizontal flip: a probability of " + probability + "; expected 0 to 1");
    }
  }

  /// @throws ShapeException if the tensor is not an image
  @Override
  public Tensor apply(Tensor image, RandomGenerator random) {
    Images.shape("random horizontal flip", image);
    return random.nextDouble() < probability ? image.flip(2) : image;
  }
}
