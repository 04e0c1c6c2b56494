// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.rpc.group.Round;
import io.vertx.core.Future;
import java.util.List;
import java.util.SortedMap;

/// Holds a model and updates it once per round, when all live trainers have sent their gradients.
/// All trainers are answered after the update.
final class BatchUpdateParameterServer {
  private final Layer model;
  private final Optimizer optimizer;
  private final Members<Integer> trainers = Members.open("trainer");
  private final Round<Integer, List<Tensor>, StateDict> round;
  private final TimedLog log;

  BatchUpdateParameterServer(Layer model, OptimizerSpec optimizer, TimedLog log) {
    this.model = model;
    this.optimizer = optimizer.over(model.parameters());
    this.round = new Round<>(trainers, this::updateModel, this::gotUpdate);
    this.log = log;
  }

  /// Returns the ranks of the trainers that every round waits for.
  Members<Integer> trainers() {
    return trainers;
  }

  @Remote
  StateDict getModel() {
    return model.state();
  }

  /// Adds a trainer's gradients, and returns the model once the round has updated it.
  @Remote(execution = Execution.EVENT_LOOP)
  Future<StateDict> updateAndFetchModel(List<Tensor> gradients) {
    optimizer.requireFit(gradients);
    return round.add(Rpc.caller().id(), gradients);
  }

  private void gotUpdate(int updates) {
    log.timedLog("parameter-server got " + updates + "/" + trainers.remaining() + " updates");
  }

  private StateDict updateModel(SortedMap<Integer, List<Tensor>> gradients) {
    optimizer.stepByMean(gradients.values());
    log.timedLog("parameter-server updated model");
    return model.state();
  }
}
