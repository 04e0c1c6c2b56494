// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Holds one model and updates it once a round, when every trainer that lives has sent its
/// gradients; the answers to all of them leave then. No thread waits for a round to fill.
final class BatchUpdateParameterServer {
  private final Layer model;
  private final Optimizer optimizer;
  private final TimedLog log;

  /// Ranks of those that live, and of those that have sent what they learned in this round.
  private final Set<Integer> trainers = new HashSet<>();

  private final Set<Integer> updates = new HashSet<>();

  private final Map<Tensor, List<Tensor>> gradients = new HashMap<>();
  private Promise<StateDict> futureModel = Promise.promise();

  /// What the last round was answered with.
  private StateDict answer = new StateDict(Map.of());

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
    if (!fit(given, parameters)) {
      throw new IllegalArgumentException(
          "updateAndFetchModel: gradients %s do not fit parameters %s"
              .formatted(kinds(given), kinds(parameters)));
    }
    for (int i = 0; i < parameters.size(); i++) {
      gradients.computeIfAbsent(parameters.get(i), _ -> new ArrayList<>()).add(given.get(i));
    }
  }

  private static boolean fit(List<Tensor> gradients, List<Tensor> parameters) {
    return gradients.size() == parameters.size()
        && IntStream.range(0, parameters.size())
            .allMatch(i -> isAlike(gradients.get(i), parameters.get(i)));
  }

  private static boolean isAlike(Tensor gradient, Tensor parameter) {
    return gradient.shape().equals(parameter.shape()) && gradient.dtype() == parameter.dtype();
  }

  private static List<String> kinds(List<Tensor> tensors) {
    return tensors.stream().map(tensor -> tensor.dtype() + " " + tensor.shape()).toList();
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
    optimizer.stepByMeans(gradients::get);
    gradients.values().forEach(ofAll -> ofAll.forEach(Tensor::free)); // nobody else reads them
    gradients.clear();
    updates.clear();
    log.timedLog(() -> "parameter-server updated model");
    StateDict updated = model.state();
    answer.free(); // whoever was to get it has done so, or would be missing in this round
    answer = updated;
    Promise<StateDict> full = futureModel;
    futureModel = Promise.promise();
    return () -> full.complete(updated);
  }
}
