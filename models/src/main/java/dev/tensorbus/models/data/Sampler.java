// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Chooses the examples of an epoch and their order. The choice depends only on the number of the
/// epoch, so that a run can be resumed within an epoch. Like torch's `Sampler`.
@FunctionalInterface
public interface Sampler {
  /// Returns the indices of the examples.
  ///
  /// @param epoch number of the epoch, from 0
  int[] order(long epoch);

  /// Returns a sampler of all examples in order. Like torch's `SequentialSampler`.
  static Sampler sequential(int size) {
    return epoch -> IntStream.range(0, size).toArray();
  }

  /// Returns a sampler that shuffles all examples in each epoch. Like torch's `RandomSampler`.
  static Sampler shuffled(int size, long seed) {
    return epoch -> permutation(size, RandomStream.of(seed, epoch));
  }

  /// Returns a sampler that draws examples with replacement and with probabilities proportional to
  /// their weights, for example to balance classes. Like torch's `WeightedRandomSampler`.
  ///
  /// @param weights one weight per example; the weights need not add up to 1
  /// @param count number of examples in an epoch
  /// @throws IllegalArgumentException if a weight is negative or not finite, or if all are zero
  static Sampler weighted(double[] weights, int count, long seed) {
    double[] upTo = new double[weights.length];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] >= 0) || weights[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "the weight of example " + i + " is " + weights[i] + "; expected 0 or more");
      }
      sum += weights[i];
      upTo[i] = sum;
    }
    if (sum == 0) {
      throw new IllegalArgumentException(
          "all " + weights.length + " weights are 0; expected at least one above 0");
    }
    double whole = sum;
    return epoch -> {
      RandomGenerator random = RandomStream.of(seed, epoch);
      return IntStream.generate(() -> indexOf(upTo, random.nextDouble() * whole))
          .limit(count)
          .toArray();
    };
  }

  /// Returns the index of the first example whose cumulative weight is above `drawn`.
  private static int indexOf(double[] upTo, double drawn) {
    int found = Arrays.binarySearch(upTo, drawn);
    int index = found < 0 ? -found - 1 : found + 1;
    while (index < upTo.length - 1 && upTo[index] <= drawn) {
      index++; // skip examples of weight 0
    }
    return Math.min(index, upTo.length - 1);
  }

  /// Returns a sampler for one worker, which chooses every `workers`-th example of this sampler,
  /// starting at index `rank`. All workers get the same number of examples, and so take the same
  /// number of steps; if the examples cannot be divided evenly, some of the first ones are
  /// repeated. Like torch's `DistributedSampler`.
  ///
  /// @param rank index of the worker, from 0
  default Sampler shard(int rank, int workers) {
    if (rank < 0 || rank >= workers) {
      throw new IllegalArgumentException(
          "shard %d of %d; expected a rank from 0 to %d".formatted(rank, workers, workers - 1));
    }
    return epoch -> {
      int[] all = order(epoch);
      return IntStream.range(0, Math.ceilDiv(all.length, workers))
          .map(i -> all[(int) (((long) i * workers + rank) % all.length)])
          .toArray();
    };
  }

  /// Returns a random permutation of `0` to `size - 1` (Durstenfeld, "Algorithm 235: Random
  /// permutation").
  static int[] permutation(int size, RandomGenerator random) {
    int[] indices = IntStream.range(0, size).toArray();
    for (int last = size - 1; last > 0; last--) {
      int other = random.nextInt(last + 1);
      int index = indices[last];
      indices[last] = indices[other];
      indices[other] = index;
    }
    return indices;
  }
}
