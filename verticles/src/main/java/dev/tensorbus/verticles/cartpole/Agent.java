// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.models.Policy;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.models.environment.Returns;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Selects actions for observers with a policy, and trains the policy on their episodes with
/// REINFORCE, from Williams, "Simple Statistical Gradient-Following Algorithms for Connectionist
/// Reinforcement Learning" (1992).
final class Agent implements AutoCloseable {
  private final RRef<Agent> agent;
  private final Observers observers;
  private final Policy policy;
  private final Optimizer optimizer;
  private final double gamma;

  Agent(Rpc rpc, Observers observers, WorkerOptions options) {
    this.agent = rpc.rref(this);
    this.observers = observers;
    this.policy = new Policy(new SplittableRandom(options.seed()).split());
    this.optimizer = new Adam(options.number(Setting.LR)).over(policy.parameters());
    this.gamma = options.number(CartPoleProgram.GAMMA);
  }

  /// Selects an observer's action in this state.
  @Remote(execution = Execution.EVENT_LOOP)
  int selectAction(int observer, float[] state) {
    Episode episode = observers.episode(observer);
    Categorical distribution = distribution(row(state), episode.random());
    Tensor action = distribution.sample(episode.random());
    episode.savedLogProbs().add(distribution.logProbability(action));
    return (int) action.longs()[0];
  }

  static Tensor row(float[] state) {
    return Tensor.of(Shape.of(1, CartPole.STATE_SIZE), state);
  }

  /// Returns the policy's action distributions for states, one per row.
  Categorical distribution(Tensor states, SplittableRandom random) {
    return Categorical.ofLogits(policy.forwardWith(random, states));
  }

  /// Records an observer's reward for its last action.
  @Remote(execution = Execution.EVENT_LOOP)
  void reportReward(int observer, float reward) {
    observers.episode(observer).rewards().add(reward);
  }

  /// Runs one episode on every observer. Blocks until all have ended.
  void runEpisode() {
    observers.playEpisode((id, observer) -> observer.rpcAsync(Observer::runEpisode, agent));
  }

  /// Updates the policy with one episode of each observer.
  Learned finishEpisode() {
    List<Tensor> logProbs = new ArrayList<>();
    List<List<Float>> rewards = new ArrayList<>();
    for (Episode episode : observers.episodes()) {
      logProbs.addAll(episode.savedLogProbs());
      rewards.add(List.copyOf(episode.rewards()));
    }
    observers.forgetEpisode();
    Tensor returns = Tensor.of(Returns.normalised(Returns.discountedAll(rewards, gamma)));
    optimizer.zeroGrad();
    Tensor loss = Tensor.concatenate(logProbs, 0).mul(returns).sum().neg();
    loss.backward();
    optimizer.step();
    return new Learned(loss.item(), Returns.lowestTotal(rewards));
  }

  /// The result of an update with one episode of each observer.
  ///
  /// @param loss the loss before the update
  /// @param reward the lowest of the observers' total rewards
  record Learned(float loss, float reward) {}

  /// Adds the policy and the state of its optimizer to a checkpoint.
  Checkpoint addTo(Checkpoint checkpoint) {
    return checkpoint.withModel("policy", policy).withOptimizer("adam", optimizer);
  }

  @Override
  public void close() {
    agent.close();
  }
}
