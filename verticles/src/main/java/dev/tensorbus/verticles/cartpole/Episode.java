// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/// One observer's episode so far, as the agent knows it. Any number of threads may use it.
///
/// @param random decides what the policy does for this observer alone, so that equal seeds give
///     equal episodes in whatever order observers ask
/// @param savedLogProbs the logarithm of each selected action's probability
/// @param rewards one for each action
record Episode(SplittableRandom random, List<Tensor> savedLogProbs, List<Float> rewards) {
  /// Nothing yet.
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
