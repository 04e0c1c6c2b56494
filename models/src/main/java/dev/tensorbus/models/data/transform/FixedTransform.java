// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.random.RandomGenerator;

/// Changes an image `[channels, height, width]` of float32 always in the same way.
@FunctionalInterface
public interface FixedTransform extends Transform {
  /// A changed copy of an image.
  Tensor apply(Tensor image);

  /// The same; it needs no random numbers.
  @Override
  default Tensor apply(Tensor image, RandomGenerator random) {
    return apply(image);
  }

  /// This, and then another that is fixed as well.
  default FixedTransform then(FixedTransform next) {
    return image -> next.apply(apply(image));
  }

  /// Examples whose inputs are changed whenever one is asked for.
  default Dataset<Example> over(Dataset<Example> examples) {
    return examples.map(example -> new Example(apply(example.input()), example.label()));
  }
}
