// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.WorkerOptions;

/// Episodes until the task is solved: the loop of PyTorch's tutorial.
public final class CartPoleTraining implements AutoCloseable {
  private static final int LOG_INTERVAL = 10;

  private final Agent agent;
  private final BatchAgent batchAgent;
  private final Progress progress;
  private final boolean inBatches;
  private final int limit;
  private final StepRate rate = new StepRate();

  /// Makes the observers.
  public CartPoleTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.agent = new Agent(rpc, options, progress);
    this.batchAgent = new BatchAgent(rpc, agent);
    this.progress = progress;
    this.inBatches = options.isOn(CartPoleProgram.BATCH);
    this.limit = options.optionalInt(CartPoleProgram.EPISODES).orElse(Integer.MAX_VALUE);
  }

  /// Lets the observers play, and learns, until the task is solved or there were as many episodes
  /// as the options allow. Blocks.
  RewardCurve train() {
    progress.say(
        "This will run until reward threshold of %.1f is reached. Ctrl+C to exit."
            .formatted(CartPole.REWARD_THRESHOLD));
    RewardCurve curve = new RewardCurve();
    while (!isSolved() && rate.episodes() < limit) {
      float lastReward = runEpisode();
      curve.add(lastReward, runningReward());
      if (rate.episodes() % LOG_INTERVAL == 0) {
        progress.say(
            "Episode %d\tLast reward: %.2f\tAverage reward: %.2f"
                .formatted(rate.episodes(), lastReward, runningReward()));
      }
    }
    progress.say(
        "%s Running reward is now %.2f: %s"
            .formatted(isSolved() ? "Solved!" : "Not solved.", runningReward(), rate));
    return curve;
  }

  /// Lets every observer play one episode and learns from it; gives the lowest reward. Blocks.
  public float runEpisode() {
    long start = System.nanoTime();
    if (inBatches) {
      batchAgent.runEpisode();
    } else {
      agent.runEpisode();
    }
    int steps = agent.steps();
    float lastReward = agent.finishEpisode();
    rate.add(steps, System.nanoTime() - start);
    return lastReward;
  }

  /// Whether the running reward has passed the threshold.
  public boolean isSolved() {
    return runningReward() > CartPole.REWARD_THRESHOLD;
  }

  /// The mean of the rewards, later ones counting more.
  public float runningReward() {
    return agent.runningReward();
  }

  /// How fast the episodes were, learning included.
  public StepRate rate() {
    return rate;
  }

  /// Plays some more episodes both ways, by turns and without learning, and says how fast they
  /// are.
  String gainOfBatches() {
    return new BatchGain(agent, batchAgent).measure();
  }

  @Override
  public void close() {
    batchAgent.close();
    agent.close();
  }
}
