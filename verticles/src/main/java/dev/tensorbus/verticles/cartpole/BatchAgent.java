// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.optim.server.BatchedCalls;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;

/// Selects the actions of all observers for one step with one forward pass of an agent's policy.
/// Modelled on the second half of PyTorch's "Implementing Batch RPC Processing Using Asynchronous
/// Executions".
final class BatchAgent implements AutoCloseable {
  private final Agent agent;
  private final Observers observers;
  private final RRef<BatchAgent> self;
  private final Members<Integer> playing = Members.open("observer");
  private final BatchedCalls<Integer, Tensor, Integer> step =
      new BatchedCalls<>(playing, this::selectActions);

  BatchAgent(Rpc rpc, Agent agent, Observers observers) {
    this.agent = agent;
    this.observers = observers;
    this.self = rpc.rref(this);
  }

  /// Selects an observer's action once every active observer has called.
  @Remote(execution = Execution.EVENT_LOOP)
  Future<Integer> selectAction(int observer, float[] state) {
    return step.call(observer, Agent.row(state));
  }

  private List<Integer> selectActions(SortedMap<Integer, Tensor> states) {
    SplittableRandom random = observers.episode(states.firstKey()).random();
    Categorical distribution =
        agent.distribution(Tensor.concatenate(List.copyOf(states.values()), 0), random);
    Tensor actions = distribution.sample(random);
    Tensor logProbs = distribution.logProbability(actions);
    List<Integer> selected = new ArrayList<>();
    for (int observer : states.keySet()) {
      int row = selected.size();
      observers.episode(observer).savedLogProbs().add(logProbs.slice(0, row, row + 1));
      selected.add((int) actions.longs()[row]);
    }
    return selected;
  }

  /// Runs one episode on every observer, like [Agent#runEpisode()], but in lockstep.
  void runEpisode() {
    observers.ranks().forEach(playing::join);
    observers.playEpisode(this::play);
  }

  private Future<?> play(int id, ObjectCalls<Observer> observer) {
    return observer
        .rpcAsync(Observer::runEpisodeBatch, self)
        .onComplete(ended -> playing.leave(id))
        .onSuccess(rewards -> observers.episode(id).rewards().addAll(rewards));
  }

  @Override
  public void close() {
    self.close();
  }
}
