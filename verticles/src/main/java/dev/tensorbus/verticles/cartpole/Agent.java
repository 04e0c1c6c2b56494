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
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.batch.BatchedCalls;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

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
  private final BatchedCalls<Tensor, Integer> batch = new BatchedCalls<>(this::selectActions);
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

  /// Does so in one forward for all observers that play, when each of them has asked.
  @Remote(execution = Execution.EVENT_LOOP)
  Future<Integer> selectActionBatch(int observer, float[] state) {
    return batch.add(observer, row(state));
  }

  private List<Integer> selectActions(SortedMap<Integer, Tensor> states) {
    SplittableRandom random = episode(states.firstKey()).random();
    Categorical distribution =
        distribution(Tensor.concatenate(List.copyOf(states.values()), 0), random);
    Tensor actions = distribution.sample(random);
    Tensor logProbs = distribution.logProbability(actions);
    List<Integer> selected = new ArrayList<>();
    for (int observer : states.keySet()) {
      int row = selected.size();
      episode(observer).savedLogProbs().add(logProbs.slice(0, row, row + 1));
      selected.add((int) actions.longs()[row]);
    }
    return selected;
  }

  private static Tensor row(float[] state) {
    return Tensor.of(Shape.of(1, CartPole.STATE_SIZE), state);
  }

  private Categorical distribution(Tensor states, SplittableRandom random) {
    return Categorical.ofLogits(policy.forwardWith(random, states));
  }

  private Episode episode(int observer) {
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
  void runEpisode(boolean inBatches) {
    if (inBatches) {
      observers.keySet().forEach(batch::join);
    }
    Map<Integer, Future<?>> runs = new TreeMap<>();
    observers.forEach(
        (id, observer) ->
            runs.put(id, inBatches ? runEpisodeBatch(id, observer) : runEpisode(observer)));
    Future.join(List.copyOf(runs.values())).otherwiseEmpty().await();
    runs.forEach(this::loseIfFailed);
  }

  private Future<?> runEpisode(RRef<Observer> observer) {
    return observer.with(PATIENT).rpcAsync(Observer::runEpisode, agent);
  }

  private Future<?> runEpisodeBatch(int id, RRef<Observer> observer) {
    return observer
        .with(PATIENT)
        .rpcAsync(Observer::runEpisodeBatch, agent)
        .onComplete(ended -> batch.leave(id))
        .onSuccess(rewards -> episode(id).rewards().addAll(rewards));
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

  /// How many observers live.
  int observers() {
    return observers.size();
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
