// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.models.Policy;
import dev.tensorbus.models.environment.Returns;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A policy, and how it learns from episodes: REINFORCE, by Williams, "Simple Statistical
/// Gradient-Following Algorithms for Connectionist Reinforcement Learning" (1992).
final class Learner {
  private static final float REMEMBERED = 0.95f;

  private final Policy policy;
  private final Optimizer optimizer;
  private final double gamma;
  private float runningReward;

  Learner(WorkerOptions options) {
    this.policy = new Policy(new SplittableRandom(options.seed()).split());
    this.optimizer = new Adam(options.number(Setting.LR)).over(policy.parameters());
    this.gamma = options.number(CartPoleProgram.GAMMA);
  }

  /// Actions for some states, drawn by the policy.
  ///
  /// @param actions one for each state
  /// @param logProbs the logarithms of their probabilities, `[n]`
  record Choice(long[] actions, Tensor logProbs) {}

  /// Chooses for states `[n, 4]`. May be called by several threads, each with its own `random`.
  Choice choose(Tensor states, RandomGenerator random) {
    Categorical distribution = Categorical.ofLogits(policy.forwardWith(random, states));
    Tensor actions = distribution.sample(random);
    return new Choice(actions.longs(), distribution.logProbability(actions));
  }

  /// Learns from one episode of each observer and forgets them. Gives the lowest reward.
  float finishEpisode(Collection<Episode> episodes) {
    float minReward = Float.MAX_VALUE;
    List<Tensor> logProbs = new ArrayList<>();
    List<Float> returns = new ArrayList<>();
    for (Episode episode : episodes) {
      minReward = Math.min(minReward, episode.total());
      logProbs.addAll(episode.savedLogProbs());
      for (float each : Returns.discounted(episode.rewards(), gamma)) {
        returns.add(each);
      }
      episode.clear();
    }
    runningReward = REMEMBERED * runningReward + (1 - REMEMBERED) * minReward;
    learn(logProbs, returns);
    return minReward;
  }

  private void learn(List<Tensor> logProbs, List<Float> returns) {
    float[] values = new float[returns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = returns.get(i);
    }
    Tensor weights = Tensor.of(Returns.normalised(values));
    optimizer.zeroGrad();
    Tensor.concatenate(logProbs, 0).mul(weights).sum().neg().backward();
    optimizer.step();
  }

  /// The mean of the rewards, later ones counting more.
  float runningReward() {
    return runningReward;
  }
}
