// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;

/// Tells observers what to do, one by one, and learns from what comes of it.
final class Agent implements Player {
  private final Observers observers;
  private final Learner learner;
  private final RRef<Agent> agent;

  Agent(Rpc rpc, Observers observers, Learner learner) {
    this.observers = observers;
    this.learner = learner;
    this.agent = rpc.rref(this);
  }

  /// What an observer is to do in this state.
  @Remote(brief = true)
  int selectAction(int observer, float[] state) {
    Episode episode = observers.episode(observer);
    Tensor states = Tensor.of(Shape.of(1, CartPole.STATE_SIZE), state);
    Learner.Choice choice = learner.choose(states, episode.random());
    episode.save(choice.logProbs());
    return (int) choice.actions()[0];
  }

  /// Notes what an observer got for its last action.
  @Remote(brief = true)
  void reportReward(int observer, float reward) {
    observers.episode(observer).reward(reward);
  }

  @Override
  public void runEpisode() {
    observers.play(
        (id, observer) ->
            observer.with(Observers.PATIENT).rpcAsync(Observer::runEpisode, agent).mapEmpty());
  }

  @Override
  public float finishEpisode() {
    return learner.finishEpisode(observers.episodes());
  }

  @Override
  public void close() {
    agent.close();
  }
}
