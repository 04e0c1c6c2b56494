// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Holds one model and updates it once a round, when every trainer that lives has sent its
/// gradients; the answers to all of them leave then. No thread waits for a round to fill.
final class BatchUpdateParameterServer {
  private final Layer model;
  private final Optimizer optimizer;
  private final TimedLog log;

  /// Ranks of those that live, and of those that have sent what they learned in this round.
  private final Set<Integer> trainers = new HashSet<>();

  private final Set<Integer> updates = new HashSet<>();

  private final Map<Tensor, Tensor> gradients = new HashMap<>();
  private Promise<StateDict> futureModel = Promise.promise();

  BatchUpdateParameterServer(
      Layer model, OptimizerSpec optimizer, Collection<WorkerInfo> trainers, TimedLog log) {
    this.model = model;
    this.optimizer = optimizer.over(model.parameters());
    this.log = log;
    trainers.forEach(trainer -> this.trainers.add(trainer.id()));
  }

  /// What the model is now.
  @Remote
  StateDict getModel() {
    return model.state();
  }

  /// Takes the caller's gradients, one for each parameter, and gives the updated model as soon as
  /// the round is full.
  @Remote(brief = true)
  Future<StateDict> updateAndFetchModel(List<Tensor> given) {
    Promise<StateDict> round;
    Runnable answers;
    synchronized (this) {
      add(given);
      updates.add(Rpc.caller().id());
      log.timedLog(
          () -> "parameter-server got %d/%d updates".formatted(updates.size(), trainers.size()));
      round = futureModel;
      answers = updateModelIfRoundIsFull();
    }
    answers.run();
    return round.future();
  }

  private void add(List<Tensor> given) {
    List<Tensor> parameters = model.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      gradients.merge(parameters.get(i), given.get(i), Tensor::add);
    }
  }

  /// Nobody waits for a trainer that is lost; what it has sent counts all the same.
  void lose(WorkerInfo trainer) {
    Runnable answers;
    synchronized (this) {
      if (!trainers.remove(trainer.id())) {
        return;
      }
      log.timedLog(
          () ->
              "parameter-server has lost %s; the round goes on with %s"
                  .formatted(
                      trainer, trainers.isEmpty() ? "nobody" : trainers.size() + " of them"));
      answers = updateModelIfRoundIsFull();
    }
    answers.run();
  }

  /// Gives what answers the round: to be run without the lock, since others may wait for it.
  private Runnable updateModelIfRoundIsFull() {
    if (updates.isEmpty() || !updates.containsAll(trainers)) {
      return () -> {};
    }
    optimizer.step(gradients::get, mean(updates.size()));
    gradients.clear();
    updates.clear();
    log.timedLog(() -> "parameter-server updated model");
    StateDict updated = model.state();
    Promise<StateDict> full = futureModel;
    futureModel = Promise.promise();
    return () -> full.complete(updated);
  }

  /// Makes means of sums, on the way through the step.
  private static GradientChange mean(int count) {
    return new GradientChange(1.0 / count, Double.POSITIVE_INFINITY);
  }
}
