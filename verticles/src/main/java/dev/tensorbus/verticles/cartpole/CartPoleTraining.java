// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import dev.tensorbus.verticles.WorkerOptions;

/// Runs episodes until the task is solved, like the training loop of PyTorch's tutorial.
public final class CartPoleTraining implements AutoCloseable {
  private static final int LOG_INTERVAL = 10;

  private final Rpc rpc;
  private final Observers observers;
  private final Agent agent;
  private final BatchAgent batchAgent;
  private final Progress progress;
  private final Runnable play;
  private final int limit;
  private final StepRate rate = new StepRate();
  private final RewardCurve curve = new RewardCurve();
  private final SavedRun saved;

  /// Creates the agent and an observer on every other worker.
  public CartPoleTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.rpc = rpc;
    this.observers = new Observers(rpc, options.seed(), progress);
    this.agent = new Agent(rpc, observers, options);
    this.batchAgent = new BatchAgent(rpc, agent, observers);
    this.progress = progress;
    this.play = options.isOn(CartPoleProgram.BATCH) ? batchAgent::runEpisode : agent::runEpisode;
    this.limit = options.optionalInt(CartPoleProgram.EPISODES).orElse(Integer.MAX_VALUE);
    this.saved = new SavedRun(agent, curve, options, progress);
  }

  /// Runs episodes and trains until the task is solved or the maximum number of episodes is
  /// reached. Blocks.
  RewardCurve train() {
    progress.say(
        "This will run until reward threshold of %.1f is reached. Ctrl+C to exit."
            .formatted(CartPole.REWARD_THRESHOLD));
    progress.start(limit == Integer.MAX_VALUE ? 0 : Math.max(0, limit - curve.episodes()));
    while (!isSolved() && curve.episodes() < limit) {
      float lastReward = rpc.span("step", this::runEpisode);
      if (curve.episodes() % LOG_INTERVAL == 0) {
        progress.say(
            "Episode %d\tLast reward: %.2f\tAverage reward: %.2f"
                .formatted(curve.episodes(), lastReward, runningReward()));
        saved.save();
      }
    }
    saved.save();
    progress.say(
        "%s Running reward is now %.2f: %s"
            .formatted(isSolved() ? "Solved!" : "Not solved.", runningReward(), rate));
    return curve;
  }

  /// Runs one episode on every observer, trains with the episodes and returns the lowest total
  /// reward. Blocks.
  public float runEpisode() {
    observers.welcome();
    Stopwatch stopwatch = Stopwatch.start();
    play.run();
    int steps = observers.steps();
    Agent.Learned learned = agent.finishEpisode();
    rate.add(steps, stopwatch.nanos());
    progress.step(steps, learned.loss());
    curve.add(learned.reward(), progress);
    return learned.reward();
  }

  /// Returns whether the running reward exceeds the threshold.
  public boolean isSolved() {
    return runningReward() > CartPole.REWARD_THRESHOLD;
  }

  /// Returns the exponential moving average of the rewards.
  public float runningReward() {
    return curve.runningReward();
  }

  /// Returns the speed of the episodes, training included.
  public StepRate rate() {
    return rate;
  }

  /// Alternates between episodes with batched and with single forward passes, without training, and
  /// returns a comparison of their speeds.
  String gainOfBatches() {
    return new BatchGain(observers, agent, batchAgent).measure();
  }

  @Override
  public void close() {
    batchAgent.close();
    agent.close();
  }
}
