// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.random.RandomGenerator;

/// A deterministic transform of images, float32 `[channels, height, width]`.
@FunctionalInterface
public interface FixedTransform extends Transform {
  /// Returns a transformed copy of an image.
  Tensor apply(Tensor image);

  /// Ignores `random`.
  @Override
  default Tensor apply(Tensor image, RandomGenerator random) {
    return apply(image);
  }

  /// Returns a transform that applies this one and then `next`.
  default FixedTransform then(FixedTransform next) {
    return image -> next.apply(apply(image));
  }

  /// Returns a data set that transforms an example's input each time the example is requested.
  default Dataset<Example> over(Dataset<Example> examples) {
    return examples.map(example -> new Example(apply(example.input()), example.label()));
  }
}
