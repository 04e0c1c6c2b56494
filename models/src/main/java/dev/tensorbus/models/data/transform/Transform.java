// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.random.RandomGenerator;

/// A transform of images, float32 `[channels, height, width]`, possibly random. Transforms are
/// stateless and thread-safe, and generators with equal seeds yield equal images.
@FunctionalInterface
public interface Transform {
  /// Returns a transformed copy of an image.
  ///
  /// @param random source of all random numbers
  Tensor apply(Tensor image, RandomGenerator random);

  /// Returns a transform that applies this one and then `next`. Like torchvision's `Compose`.
  default Transform then(Transform next) {
    return (image, random) -> next.apply(apply(image, random), random);
  }

  /// Returns a data set whose inputs are transformed differently in each epoch. The training loop
  /// must [set][Augmented#setEpoch] the epoch.
  default Augmented over(Dataset<Example> examples, long seed) {
    return new Augmented(examples, this, seed);
  }
}
