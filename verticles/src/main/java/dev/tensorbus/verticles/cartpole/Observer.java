// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/// Lives with a pole on a cart of its own and asks the agent what to do.
final class Observer {
  /// What is done with an answer takes microseconds.
  private static final CallOptions BRIEFLY = CallOptions.DEFAULT.goingOnBriefly();

  private final int id = Rpc.current().self().id();
  private final CartPole environment;

  /// Every observer sees other episodes.
  @Remote
  Observer(long seed) {
    environment = new CartPole(new SplittableRandom(seed + id));
  }

  /// Plays one episode, of which the agent is told each reward, and gives its length.
  @Remote
  Future<Integer> runEpisode(RRef<Agent> agent) {
    ObjectCalls<Agent> calls = agent.with(BRIEFLY);
    return new Run(
            state -> calls.rpcAsync(Agent::selectAction, id, state),
            reward -> calls.rpcAsync(Agent::reportReward, id, reward))
        .play();
  }

  /// Plays one episode in step with the other observers, and gives its rewards.
  @Remote
  Future<List<Float>> runEpisodeBatch(RRef<BatchAgent> agent) {
    ObjectCalls<BatchAgent> calls = agent.with(BRIEFLY);
    List<Float> rewards = new ArrayList<>();
    return new Run(
            state -> calls.rpcAsync(BatchAgent::selectAction, id, state),
            reward -> {
              rewards.add(reward);
              return Future.succeededFuture();
            })
        .play()
        .map(steps -> rewards);
  }

  /// One episode, which goes on with each answer of the agent, on the event loop that takes it: no
  /// thread waits, and none has to be woken.
  private final class Run {
    private final Function<float[], Future<Integer>> selectAction;
    private final Function<Float, Future<Void>> reportReward;
    private final Promise<Integer> over = Promise.promise();
    private int steps;

    Run(
        Function<float[], Future<Integer>> selectAction,
        Function<Float, Future<Void>> reportReward) {
      this.selectAction = selectAction;
      this.reportReward = reportReward;
    }

    /// Plays; gives the number of steps when it is over.
    Future<Integer> play() {
      ask(environment.reset());
      return over.future();
    }

    private void ask(float[] state) {
      selectAction.apply(state).compose(this::step).onFailure(over::tryFail);
    }

    /// Done when the agent has the reward; it may take it while it selects the next action.
    private Future<Void> step(int action) {
      CartPole.Step step = environment.step(action);
      steps++;
      Future<Void> reported = reportReward.apply(step.reward());
      if (step.done()) {
        return reported.onSuccess(done -> over.tryComplete(steps));
      }
      ask(step.state());
      return reported;
    }
  }
}
