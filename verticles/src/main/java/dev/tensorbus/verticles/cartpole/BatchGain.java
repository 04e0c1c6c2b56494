// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.rpc.thread.time.Stopwatch;

/// Measures how much faster one forward pass for all observers is than one per observer.
record BatchGain(Observers observers, Agent agent, BatchAgent batchAgent) {
  private static final int EPISODES = 5;

  /// Alternates between episodes with batched and with single forward passes, without training, and
  /// returns a comparison of their speeds.
  String measure() {
    StepRate single = new StepRate();
    StepRate batch = new StepRate();
    for (int turn = 0; turn < EPISODES; turn++) {
      play(agent::runEpisode, single);
      play(batchAgent::runEpisode, batch);
    }
    return ("one forward for %d observers: %.0f steps/s; one per observer: %.0f steps/s;"
            + " speedup %.2f")
        .formatted(
            observers.ranks().size(),
            batch.perSecond(),
            single.perSecond(),
            batch.perSecond() / single.perSecond());
  }

  private void play(Runnable episode, StepRate rate) {
    Stopwatch stopwatch = Stopwatch.start();
    episode.run();
    rate.add(observers.steps(), stopwatch.nanos());
    observers.forgetEpisode();
  }
}
