// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/// The agent's record of an observer's current episode. Thread-safe.
///
/// @param random the generator for this observer's actions; separate, so that equal seeds give
///     equal episodes regardless of the order of the observers' calls
/// @param savedLogProbs the log-probability of each selected action
/// @param rewards the reward of each action
record Episode(SplittableRandom random, List<Tensor> savedLogProbs, List<Float> rewards) {
  /// Creates an empty episode.
  Episode(SplittableRandom random) {
    this(
        random,
        Collections.synchronizedList(new ArrayList<>()),
        Collections.synchronizedList(new ArrayList<>()));
  }

  void clear() {
    savedLogProbs.clear();
    rewards.clear();
  }
}
