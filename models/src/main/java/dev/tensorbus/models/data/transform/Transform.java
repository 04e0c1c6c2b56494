// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.random.RandomGenerator;

/// Changes an image `[channels, height, width]` of float32, at random or not. It has no state:
/// equal generators give equal images, and several threads may apply it at once.
@FunctionalInterface
public interface Transform {
  /// A changed copy of an image.
  ///
  /// @param random where all its random numbers come from
  Tensor apply(Tensor image, RandomGenerator random);

  /// This, and then another. After torchvision's `Compose`.
  default Transform then(Transform next) {
    return (image, random) -> next.apply(apply(image, random), random);
  }

  /// Examples whose inputs are changed, in another way in each epoch. The loop over the epochs
  /// [tells][Augmented#setEpoch] each one's number.
  default Augmented over(Dataset<Example> examples, long seed) {
    return new Augmented(examples, this, seed);
  }
}
