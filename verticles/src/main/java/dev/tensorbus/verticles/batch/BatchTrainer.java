// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.DeviceSettings;
import dev.tensorbus.verticles.WorkerObjects;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.Optional;
import java.util.SplittableRandom;

/// One worker's trainer. It computes gradients on its own batches with a copy of the server's
/// model. The copy is refreshed in each round.
///
/// @param name the name of this worker
/// @param rank the rank of this worker; each rank generates different batches
record BatchTrainer(WorkerOptions options, String name, int rank, Progress progress) {
  /// Trains the server's model on the called worker, for the configured number of rounds.
  @Remote(execution = Execution.PLATFORM_THREAD) // long computation
  static void runTrainer(RRef<BatchUpdateParameterServer> server) {
    WorkerObjects.await(Rpc.current(), BatchTrainer.class).train(server);
  }

  private void train(RRef<BatchUpdateParameterServer> server) {
    Workload workload = Workload.of(options, new SplittableRandom(options.seed() + rank));
    Optional<Device> device = DeviceSettings.of(options);
    if (device.isEmpty()) {
      train(server, workload);
      return;
    }
    try (CompiledLoss compiled = workload.compiled(device.get())) {
      train(server, workload.withLoss(compiled::forward));
    }
  }

  private void train(RRef<BatchUpdateParameterServer> server, Workload workload) {
    int rounds = options.whole(BatchProgram.ROUNDS);
    progress.start(rounds);
    TimedLog log = new TimedLog(progress);
    Layer model = workload.model();
    model.load(server.rpcSync(BatchUpdateParameterServer::getModel));
    for (int round = 0; round < rounds; round++) {
      Tensor loss = Rpc.current().span("step", () -> step(server, workload, model, log));
      progress.step(options.batchSize(), loss.item());
    }
  }

  private Tensor step(
      RRef<BatchUpdateParameterServer> server, Workload workload, Layer model, TimedLog log) {
    log.timedLog(name + " processing one batch");
    model.zeroGrad();
    Tensor loss = workload.nextLoss();
    loss.backward();
    log.timedLog(name + " reporting gradients");
    model.load(server.rpcSync(BatchUpdateParameterServer::updateAndFetchModel, model.gradients()));
    log.timedLog(name + " got updated model");
    return loss;
  }
}
