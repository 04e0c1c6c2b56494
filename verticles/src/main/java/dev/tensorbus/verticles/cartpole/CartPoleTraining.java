// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.WorkerOptions;
import java.time.Duration;

/// Episodes until the task is solved: the loop of PyTorch's tutorial.
public final class CartPoleTraining implements AutoCloseable {
  private static final int LOG_INTERVAL = 10;
  private static final int COMPARED_EPISODES = 5;

  private final Rpc rpc;
  private final Progress progress;
  private final Observers observers;
  private final Learner learner;
  private final Player agent;
  private final int limit;

  private int episodes;
  private long steps;
  private Duration time = Duration.ZERO;

  /// Makes the observers.
  public CartPoleTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.rpc = rpc;
    this.progress = progress;
    this.observers = new Observers(rpc, options.seed(), progress);
    this.learner = new Learner(options);
    this.agent = agent(options.isOn(CartPoleProgram.BATCH));
    this.limit = options.optionalInt(CartPoleProgram.EPISODES).orElse(Integer.MAX_VALUE);
  }

  private Player agent(boolean inBatches) {
    return inBatches ? new BatchAgent(rpc, observers, learner) : new Agent(rpc, observers, learner);
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
      curve.add(lastReward, learner.runningReward());
      if (episodes % LOG_INTERVAL == 0) {
        progress.say(
            "Episode %d\tLast reward: %.2f\tAverage reward: %.2f"
                .formatted(episodes, lastReward, learner.runningReward()));
      }
    }
    progress.say(result());
    return curve;
  }

  /// Lets every observer play one episode and learns from it; gives the lowest reward. Blocks.
  public float runEpisode() {
    long start = System.nanoTime();
    agent.runEpisode();
    for (Episode episode : observers.episodes()) {
      steps += episode.rewards().size();
    }
    float lastReward = agent.finishEpisode();
    time = time.plusNanos(System.nanoTime() - start);
    episodes++;
    return lastReward;
  }

  private String result() {
    return "%s Running reward is now %.2f: %d episodes, %d steps, %.1f s, %.0f steps/s"
        .formatted(
            isSolved() ? "Solved!" : "Not solved.",
            learner.runningReward(),
            episodes,
            steps,
            seconds(),
            stepsPerSecond());
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
    Rate single = new Rate(agent(false));
    Rate batch = new Rate(agent(true));
    for (int turn = 0; turn < COMPARED_EPISODES; turn++) {
      single.play();
      batch.play();
    }
    return "one forward for %d observers: %.0f steps/s; one for each: %.0f steps/s; %.2f times as fast"
        .formatted(
            observers.ids().size(),
            batch.perSecond(),
            single.perSecond(),
            batch.perSecond() / single.perSecond());
  }

  @Override
  public void close() {
    agent.close();
  }

  /// How fast an agent plays.
  private final class Rate {
    private final Player player;
    private long played;
    private long nanos;

    Rate(Player player) {
      this.player = player;
    }

    void play() {
      long start = System.nanoTime();
      player.runEpisode();
      nanos += System.nanoTime() - start;
      for (Episode episode : observers.episodes()) {
        played += episode.rewards().size();
        episode.clear();
      }
    }

    double perSecond() {
      return played * 1e9 / nanos;
    }
  }
}
