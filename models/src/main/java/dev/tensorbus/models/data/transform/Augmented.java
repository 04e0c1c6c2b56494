// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.data.RandomStream;
import java.util.random.RandomGenerator;

/// A data set that applies a random transform to its inputs. Created by [Transform#over].
///
/// The random numbers for an example depend only on the seed, the epoch and the example's index,
/// not on threads or the order of requests. Therefore a loader may prefetch, and a resumed run sees
/// the same images. An example that occurs twice in an epoch looks the same both times.
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

  /// Sets the epoch, which selects the random numbers (default: 0). Call it before the loop over an
  /// epoch's batches, not inside it; without this call, all epochs have equal images. Like
  /// `set_epoch` of torch's `DistributedSampler`.
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
