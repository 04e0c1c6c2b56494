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
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;

/// Selects actions for observers by one policy, and learns from their episodes: REINFORCE, by
/// Williams, "Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement
/// Learning" (1992).
final class Agent implements AutoCloseable {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();
  private static final float REMEMBERED = 0.95f;

  private final RRef<Agent> agent;
  private final Progress progress;
  private final Map<Integer, RRef<Observer>> observers = new ConcurrentSkipListMap<>();
  private final Map<Integer, Episode> episodes = new ConcurrentSkipListMap<>();
  private final Policy policy;
  private final Optimizer optimizer;
  private final double gamma;
  private float runningReward;

  /// Makes an observer on every other worker.
  Agent(Rpc rpc, WorkerOptions options, Progress progress) {
    this.agent = rpc.rref(this);
    this.progress = progress;
    this.policy = new Policy(new SplittableRandom(options.seed()).split());
    this.optimizer = new Adam(options.number(Setting.LR)).over(policy.parameters());
    this.gamma = options.number(CartPoleProgram.GAMMA);
    for (WorkerInfo worker : rpc.workers()) {
      if (!worker.equals(rpc.self())) {
        observers.put(worker.id(), rpc.remote(worker.name(), Observer::new, options.seed()));
        episodes.put(worker.id(), new Episode(decisions(options.seed(), worker.id())));
      }
    }
  }

  /// Decides what the policy does for one observer; other numbers than its environment draws.
  private static SplittableRandom decisions(long seed, int observer) {
    return new SplittableRandom(31 * seed + observer).split();
  }

  /// Selects an observer's action in this state.
  @Remote(execution = Execution.EVENT_LOOP)
  int selectAction(int observer, float[] state) {
    Episode episode = episode(observer);
    Categorical distribution = distribution(row(state), episode.random());
    Tensor action = distribution.sample(episode.random());
    episode.savedLogProbs().add(distribution.logProbability(action));
    return (int) action.longs()[0];
  }

  static Tensor row(float[] state) {
    return Tensor.of(Shape.of(1, CartPole.STATE_SIZE), state);
  }

  /// The policy's choice in each of these states, a row each.
  Categorical distribution(Tensor states, SplittableRandom random) {
    return Categorical.ofLogits(policy.forwardWith(random, states));
  }

  /// The episode that an observer plays.
  ///
  /// @throws IllegalStateException if the observer is lost
  Episode episode(int observer) {
    Episode episode = episodes.get(observer);
    if (episode == null) {
      throw new IllegalStateException("no observer of rank " + observer + " takes part any more");
    }
    return episode;
  }

  /// Notes an observer's reward for its last action.
  @Remote(execution = Execution.EVENT_LOOP)
  void reportReward(int observer, float reward) {
    episode(observer).rewards().add(reward);
  }

  /// Lets every observer play one episode, and waits. Goes on without observers that die.
  ///
  /// @throws NoSuchWorkerException if none is left
  void runEpisode() {
    playEpisode((id, observer) -> observer.rpcAsync(Observer::runEpisode, agent));
  }

  /// The same with another way to play.
  ///
  /// @param play begins the episode of an observer of this rank
  void playEpisode(BiFunction<Integer, ObjectCalls<Observer>, Future<?>> play) {
    Map<Integer, Future<?>> runs = new TreeMap<>();
    observers.forEach((id, observer) -> runs.put(id, play.apply(id, observer.with(PATIENT))));
    Future.join(List.copyOf(runs.values())).otherwiseEmpty().await();
    runs.forEach(this::loseIfFailed);
  }

  private void loseIfFailed(int id, Future<?> run) {
    if (run.succeeded()) {
      return;
    }
    if (!(run.cause() instanceof NoSuchWorkerException) || observers.size() == 1) {
      run.await();
    }
    observers.remove(id);
    episodes.remove(id);
    progress.say(
        "agent has lost %s; it goes on with %d of them"
            .formatted(Role.OBSERVER.nameOf(id), observers.size()));
  }

  /// How many steps all observers have made since the agent learned last.
  int steps() {
    return episodes.values().stream().mapToInt(episode -> episode.rewards().size()).sum();
  }

  /// The ranks of the observers that live.
  Set<Integer> observers() {
    return observers.keySet();
  }

  /// Learns from one episode of each observer. Gives the lowest reward.
  float finishEpisode() {
    List<Tensor> logProbs = new ArrayList<>();
    List<List<Float>> rewards = new ArrayList<>();
    for (Episode episode : episodes.values()) {
      logProbs.addAll(episode.savedLogProbs());
      rewards.add(List.copyOf(episode.rewards()));
    }
    forgetEpisode();
    float minReward = Returns.lowestTotal(rewards);
    runningReward = REMEMBERED * runningReward + (1 - REMEMBERED) * minReward;
    Tensor returns = Tensor.of(Returns.normalised(Returns.discountedAll(rewards, gamma)));
    optimizer.zeroGrad();
    Tensor.concatenate(logProbs, 0).mul(returns).sum().neg().backward();
    optimizer.step();
    return minReward;
  }

  /// Learns nothing from the present episode of each observer.
  void forgetEpisode() {
    episodes.values().forEach(Episode::clear);
  }

  /// The mean of the rewards, later ones counting more.
  float runningReward() {
    return runningReward;
  }

  @Override
  public void close() {
    agent.close();
  }
}
