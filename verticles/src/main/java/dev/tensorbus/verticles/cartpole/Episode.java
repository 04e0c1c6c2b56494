// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// What one observer has seen in an episode so far.
final class Episode {
  private final RandomGenerator random;
  private final List<Tensor> savedLogProbs = new ArrayList<>();
  private final List<Float> rewards = new ArrayList<>();

  /// Nothing yet.
  ///
  /// @param random what [#random] gives
  Episode(RandomGenerator random) {
    this.random = random;
  }

  /// Decides what the policy does for this observer, and no other: so whoever asks first, equal
  /// seeds give equal episodes.
  RandomGenerator random() {
    return random;
  }

  synchronized void save(Tensor logProb) {
    savedLogProbs.add(logProb);
  }

  synchronized void reward(float reward) {
    rewards.add(reward);
  }

  synchronized void rewardAll(List<Float> all) {
    rewards.addAll(all);
  }

  /// The logarithm of each chosen action's probability.
  synchronized List<Tensor> savedLogProbs() {
    return List.copyOf(savedLogProbs);
  }

  synchronized List<Float> rewards() {
    return List.copyOf(rewards);
  }

  synchronized float total() {
    float total = 0;
    for (float reward : rewards) {
      total += reward;
    }
    return total;
  }

  synchronized void clear() {
    savedLogProbs.clear();
    rewards.clear();
  }
}
