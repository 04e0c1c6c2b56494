// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Lives with a pole on a cart of its own and asks the agent what to do.
final class Observer {
  /// Nothing is done when a report has arrived but to note it.
  private static final CallOptions AT_ONCE = CallOptions.DEFAULT.goingOnBriefly();

  private final int id = Rpc.current().self().id();
  private final CartPole environment;

  /// Every observer sees other episodes.
  @Remote
  Observer(long seed) {
    environment = new CartPole(new SplittableRandom(seed + id));
  }

  /// Plays one episode, of which the agent is told each reward, and gives its length.
  @Remote
  int runEpisode(RRef<Agent> agent) {
    float[] state = environment.reset();
    Future<Void> reported = Future.succeededFuture();
    for (int steps = 1; ; steps++) {
      int action = agent.rpcSync(Agent::selectAction, id, state);
      CartPole.Step step = environment.step(action);
      // The agent may take the reward while it selects the next action; rewards keep their order.
      reported.await();
      reported = agent.with(AT_ONCE).rpcAsync(Agent::reportReward, id, step.reward());
      if (step.done()) {
        reported.await();
        return steps;
      }
      state = step.state();
    }
  }

  /// Plays one episode in step with the other observers, and gives its rewards.
  @Remote
  List<Float> runEpisodeBatch(RRef<BatchAgent> agent) {
    float[] state = environment.reset();
    List<Float> rewards = new ArrayList<>();
    while (true) {
      int action = agent.rpcSync(BatchAgent::selectAction, id, state);
      CartPole.Step step = environment.step(action);
      rewards.add(step.reward());
      if (step.done()) {
        return rewards;
      }
      state = step.state();
    }
  }
}
