// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Which examples an epoch takes, in which order. It depends on the number of the epoch alone, so
/// that a run can be resumed within one. After torch's `Sampler`.
@FunctionalInterface
public interface Sampler {
  /// The numbers of the examples.
  ///
  /// @param epoch from 0
  int[] order(long epoch);

  /// All examples as they stand. After torch's `SequentialSampler`.
  static Sampler sequential(int size) {
    return epoch -> IntStream.range(0, size).toArray();
  }

  /// All examples, in another order each time. After torch's `RandomSampler`.
  static Sampler shuffled(int size, long seed) {
    return epoch -> permutation(size, RandomStream.of(seed, epoch));
  }

  /// Examples that are drawn with replacement, each as often as its weight says. For classes of
  /// uneven size. After torch's `WeightedRandomSampler`.
  ///
  /// @param weights one for each example, not negative and not all zero; they need not add up to 1
  /// @param count how many examples an epoch has
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
          "all " + weights.length + " weights are 0; at least one example must be drawn");
    }
    double whole = sum;
    return epoch -> {
      RandomGenerator random = RandomStream.of(seed, epoch);
      return IntStream.generate(() -> indexOf(upTo, random.nextDouble() * whole))
          .limit(count)
          .toArray();
    };
  }

  /// The first example whose cumulative weight is above this.
  private static int indexOf(double[] upTo, double drawn) {
    int found = Arrays.binarySearch(upTo, drawn);
    int index = found < 0 ? -found - 1 : found + 1;
    while (index < upTo.length - 1 && upTo[index] <= drawn) {
      index++; // examples of weight 0
    }
    return Math.min(index, upTo.length - 1);
  }

  /// One worker's share: every `workers`-th example. All shares are of one size, since all workers
  /// are to take equally many steps; the first examples come twice where they do not go round.
  /// After torch's `DistributedSampler`.
  ///
  /// @param rank the worker's place among those that share, from 0
  default Sampler shard(int rank, int workers) {
    if (rank < 0 || rank >= workers) {
      throw new IllegalArgumentException(
          "shard %d of %d; expected a number from 0 to %d".formatted(rank, workers, workers - 1));
    }
    return epoch -> {
      int[] all = order(epoch);
      return IntStream.range(0, Math.ceilDiv(all.length, workers))
          .map(i -> all[(int) (((long) i * workers + rank) % all.length)])
          .toArray();
    };
  }

  /// Shuffles the first whole numbers (Durstenfeld, "Algorithm 235: Random permutation").
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
