// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.WorkerOptions;
import java.time.Duration;

/// Episodes until the task is solved: the loop of PyTorch's tutorial.
public final class CartPoleTraining {
  private static final int LOG_INTERVAL = 10;
  private static final int COMPARED_EPISODES = 5;

  private final Rpc rpc;
  private final WorkerOptions options;
  private final Progress progress;
  private final Observers observers;
  private final Learner learner;
  private final int limit;

  private int episodes;
  private long steps;
  private Duration time = Duration.ZERO;

  /// Makes the observers. Blocks.
  public CartPoleTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.rpc = rpc;
    this.options = options;
    this.progress = progress;
    this.observers = new Observers(rpc, options.seed(), progress);
    this.learner = new Learner(options);
    this.limit = options.optionalInt(CartPoleProgram.EPISODES).orElse(Integer.MAX_VALUE);
  }

  /// Lets the observers play, and learns, until the task is solved or there were as many episodes
  /// as the options allow.
  RewardCurve train() {
    progress.say(
        "This will run until reward threshold of %.1f is reached. Ctrl+C to exit."
            .formatted(CartPole.REWARD_THRESHOLD));
    RewardCurve curve = new RewardCurve();
    try (Player agent = agent(options.isOn(CartPoleProgram.BATCH))) {
      while (!isSolved() && episodes < limit) {
        float lastReward = runEpisode(agent);
        curve.add(lastReward, learner.runningReward());
        if (episodes % LOG_INTERVAL == 0) {
          progress.say(
              "Episode %d\tLast reward: %.2f\tAverage reward: %.2f"
                  .formatted(episodes, lastReward, learner.runningReward()));
        }
      }
    }
    progress.say(result());
    return curve;
  }

  private Player agent(boolean inBatches) {
    return inBatches ? new BatchAgent(rpc, observers, learner) : new Agent(rpc, observers, learner);
  }

  private float runEpisode(Player agent) {
    long start = System.nanoTime();
    agent.runEpisode();
    for (Episode episode : observers.episodes()) {
      steps += episode.rewards().size();
    }
    float reward = agent.finishEpisode();
    time = time.plusNanos(System.nanoTime() - start);
    episodes++;
    return reward;
  }

  private String result() {
    String outcome = isSolved() ? "Solved! Running" : "Not solved. Running";
    return "%s reward is now %.2f: %d episodes, %d steps, %.1f s, %.0f steps/s"
        .formatted(outcome, learner.runningReward(), episodes, steps, seconds(), stepsPerSecond());
  }

  /// Whether the running reward has passed the threshold.
  public boolean isSolved() {
    return learner.runningReward() > CartPole.REWARD_THRESHOLD;
  }

  /// How many episodes there were.
  public int episodes() {
    return episodes;
  }

  /// The steps of all observers in a second, learning included.
  public double stepsPerSecond() {
    return steps / seconds();
  }

  /// The mean of the rewards, later ones counting more.
  public float runningReward() {
    return learner.runningReward();
  }

  /// How long the episodes took.
  public double seconds() {
    return time.toNanos() / 1e9;
  }

  /// Plays some more episodes both ways, by turns and without learning, and says how fast they
  /// are.
  String gainOfBatches() {
    double[] rates = new double[2];
    try (Player single = agent(false);
        Player batch = agent(true)) {
      long[] played = new long[2];
      long[] nanos = new long[2];
      for (int turn = 0; turn < 2 * COMPARED_EPISODES; turn++) {
        long start = System.nanoTime();
        (turn % 2 == 0 ? single : batch).runEpisode();
        nanos[turn % 2] += System.nanoTime() - start;
        for (Episode episode : observers.episodes()) {
          played[turn % 2] += episode.rewards().size();
          episode.clear();
        }
      }
      rates[0] = played[0] * 1e9 / nanos[0];
      rates[1] = played[1] * 1e9 / nanos[1];
    }
    return "one forward for %d observers: %.0f steps/s; one for each: %.0f steps/s; %.2f times as fast"
        .formatted(observers.ids().size(), rates[1], rates[0], rates[1] / rates[0]);
  }
}
