// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.CallScope;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Runs a CartPole environment and calls the agent for each action.
final class Observer {
  private static final CallOptions ON_EVENT_LOOP =
      CallOptions.DEFAULT.continuingOn(Execution.EVENT_LOOP);

  private final int id = Rpc.current().self().id();
  private final CartPole environment;

  /// Creates an observer; each rank generates different episodes.
  @Remote
  Observer(long seed) {
    environment = new CartPole(new SplittableRandom(seed + id));
  }

  /// Runs one episode. A reward may reach the agent while the agent selects the next action.
  @Remote
  void runEpisode(RRef<Agent> agent) {
    try (CallScope reports = Rpc.current().scope()) {
      ObjectCalls<Agent> reporter = reports.on(agent).with(ON_EVENT_LOOP);
      float[] state = environment.reset();
      CartPole.Step step;
      do {
        int action = agent.rpcSync(Agent::selectAction, id, state);
        step = environment.step(action);
        reporter.rpcAsync(Agent::reportReward, id, step.reward());
        state = step.state();
      } while (!step.done());
    } // waits until the agent has all rewards
  }

  /// Runs one episode in lockstep with the other observers and returns its rewards.
  @Remote
  List<Float> runEpisodeBatch(RRef<BatchAgent> agent) {
    List<Float> rewards = new ArrayList<>();
    float[] state = environment.reset();
    CartPole.Step step;
    do {
      int action = agent.rpcSync(BatchAgent::selectAction, id, state);
      step = environment.step(action);
      rewards.add(step.reward());
      state = step.state();
    } while (!step.done());
    return rewards;
  }
}
