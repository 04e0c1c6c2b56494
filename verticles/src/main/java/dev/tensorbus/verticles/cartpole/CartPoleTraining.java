// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.WorkerOptions;

/// Episodes until the task is solved: the loop of PyTorch's tutorial.
public final class CartPoleTraining implements AutoCloseable {
  private static final int LOG_INTERVAL = 10;
  private static final int COMPARED_EPISODES = 5;

  private final Agent agent;
  private final Progress progress;
  private final boolean inBatches;
  private final int limit;
  private final StepRate rate = new StepRate();
  private int episodes;

  /// Makes the observers.
  public CartPoleTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.agent = new Agent(rpc, options, progress);
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
    while (!isSolved() && episodes < limit) {
      float lastReward = runEpisode();
      curve.add(lastReward, runningReward());
      if (episodes % LOG_INTERVAL == 0) {
        progress.say(
            "Episode %d\tLast reward: %.2f\tAverage reward: %.2f"
                .formatted(episodes, lastReward, runningReward()));
      }
    }
    progress.say(
        "%s Running reward is now %.2f: %d episodes, %d steps, %.1f s, %.0f steps/s"
            .formatted(
                isSolved() ? "Solved!" : "Not solved.",
                runningReward(),
                episodes,
                rate.steps(),
                seconds(),
                stepsPerSecond()));
    return curve;
  }

  /// Lets every observer play one episode and learns from it; gives the lowest reward. Blocks.
  public float runEpisode() {
    long start = System.nanoTime();
    agent.runEpisode(inBatches);
    int steps = agent.steps();
    float lastReward = agent.finishEpisode();
    rate.add(steps, System.nanoTime() - start);
    episodes++;
    return lastReward;
  }

  /// Whether the running reward has passed the threshold.
  public boolean isSolved() {
    return runningReward() > CartPole.REWARD_THRESHOLD;
  }

  /// How many episodes there were.
  public int episodes() {
    return episodes;
  }

  /// The steps of all observers in a second, learning included.
  public double stepsPerSecond() {
    return rate.perSecond();
  }

  /// The mean of the rewards, later ones counting more.
  public float runningReward() {
    return agent.runningReward();
  }

  /// How long the episodes took.
  public double seconds() {
    return rate.seconds();
  }

  /// Plays some more episodes both ways, by turns and without learning, and says how fast they
  /// are.
  String gainOfBatches() {
    StepRate single = new StepRate();
    StepRate batch = new StepRate();
    for (int turn = 0; turn < COMPARED_EPISODES; turn++) {
      play(false, single);
      play(true, batch);
    }
    return "one forward for %d observers: %.0f steps/s; one for each: %.0f steps/s; %.2f times as fast"
        .formatted(
            agent.observers(),
            batch.perSecond(),
            single.perSecond(),
            batch.perSecond() / single.perSecond());
  }

  private void play(boolean inBatches, StepRate rate) {
    long start = System.nanoTime();
    agent.runEpisode(inBatches);
    rate.add(agent.steps(), System.nanoTime() - start);
    agent.forgetEpisode();
  }

  @Override
  public void close() {
    agent.close();
  }
}
