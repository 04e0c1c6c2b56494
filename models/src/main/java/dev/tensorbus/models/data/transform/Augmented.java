// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.data.RandomStream;
import java.util.random.RandomGenerator;

/// Examples whose inputs a random transform changes. [Transform#over] makes them.
///
/// The seed, the epoch and an example's index decide its random numbers. Threads and the order in
/// which a loader asks do not. So a loader may fetch ahead, and a resumed run sees the same images.
/// An example that comes twice in one epoch looks the same both times.
public final class Augmented implements Dataset<Example> {
  private final Dataset<Example> examples;
  private final Transform transform;
  private final long seed;
  private volatile long epoch;

  Augmented(Dataset<Example> examples, Transform transform, long seed) {
    this.examples = examples;
    this.transform = transform;
    this.seed = seed;
  }

  /// Begins an epoch, which decides how its images are changed; 0 is the first. Without this call
  /// all epochs have equal images. Call it before the loop over the epoch's batches, and not within
  /// it. After `set_epoch` of torch's `DistributedSampler`.
  public void setEpoch(long epoch) {
    this.epoch = epoch;
  }

  @Override
  public int size() {
    return examples.size();
  }

  @Override
  public Example get(int index) {
    RandomGenerator random = RandomStream.of(seed, epoch, index);
    Example example = examples.get(index);
    Tensor input = transform.apply(example.input(), random);
    return new Example(input, example.label());
  }
}
