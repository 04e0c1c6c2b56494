// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

/// How much faster episodes are with one forward for all observers of a step.
record BatchGain(Observers observers, Agent agent, BatchAgent batchAgent) {
  private static final int EPISODES = 5;

  /// Plays some episodes both ways, by turns and without learning, and says how fast they are.
  String measure() {
    StepRate single = new StepRate();
    StepRate batch = new StepRate();
    for (int turn = 0; turn < EPISODES; turn++) {
      play(agent::runEpisode, single);
      play(batchAgent::runEpisode, batch);
    }
    return "one forward for %d observers: %.0f steps/s; one for each: %.0f steps/s; %.2f times as fast"
        .formatted(
            observers.ranks().size(),
            batch.perSecond(),
            single.perSecond(),
            batch.perSecond() / single.perSecond());
  }

  private void play(Runnable episode, StepRate rate) {
    long start = System.nanoTime();
    episode.run();
    rate.add(observers.steps(), System.nanoTime() - start);
    observers.forgetEpisode();
  }
}
