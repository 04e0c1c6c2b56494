// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import java.util.List;

/// The server's part of a run: all trainers at once, to their end.
///
/// @param rpc the server's
/// @param log says what happens
record BatchTraining(Rpc rpc, TimedLog log) {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  /// Lets the trainers train with this server's model, and waits until all that live are done.
  ///
  /// @throws dev.tensorbus.rpc.RpcException as the first trainer failed, if none is left
  void runPs(BatchUpdateParameterServer server, List<WorkerInfo> trainers) {
    log.timedLog("parameter-server starts training");
    long start = System.nanoTime();
    rpc.onWorkerLost(server::lose);
    try (RRef<BatchUpdateParameterServer> reference = rpc.rref(server)) {
      List<Future<Void>> runs =
          trainers.stream().map(trainer -> run(trainer, server, reference)).toList();
      Future.join(runs).otherwiseEmpty().await();
      if (runs.stream().noneMatch(Future::succeeded)) {
        runs.getFirst().await();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    log.timedLog("parameter-server finishes training after %.3f s".formatted(seconds));
  }

  private Future<Void> run(
      WorkerInfo trainer,
      BatchUpdateParameterServer server,
      RRef<BatchUpdateParameterServer> reference) {
    return rpc.with(PATIENT)
        .rpcAsync(trainer.name(), Trainer::runTrainer, reference)
        .onFailure(error -> server.lose(trainer));
  }
}
