// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.SplittableRandom;

/// The server's part of a run: all trainers at once, to their end.
public final class BatchTraining {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final Rpc rpc;
  private final TimedLog log;
  private final List<WorkerInfo> trainers;
  private final BatchUpdateParameterServer server;

  /// Makes the model that the options ask for; all other workers are its trainers.
  public BatchTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.rpc = rpc;
    this.log = new TimedLog(progress);
    this.trainers = rpc.workers().stream().filter(worker -> !worker.equals(rpc.self())).toList();
    this.server =
        new BatchUpdateParameterServer(
            Workload.of(options, new SplittableRandom(options.seed())).model(),
            new Sgd(options.number(Setting.LR)).withMomentum(options.number(BatchProgram.MOMENTUM)),
            log);
    trainers.forEach(trainer -> server.round().join(trainer.id()));
    rpc.onWorkerLost(this::lose);
  }

  /// Lets the trainers train with the server's model, each for its rounds, and waits until all
  /// that live are done.
  ///
  /// @throws dev.tensorbus.rpc.RpcException as the first trainer failed, if none is left
  public void runPs() {
    log.timedLog("parameter-server starts training");
    long start = System.nanoTime();
    try (RRef<BatchUpdateParameterServer> reference = rpc.rref(server)) {
      List<Future<Void>> runs = trainers.stream().map(trainer -> run(trainer, reference)).toList();
      Future.join(runs).otherwiseEmpty().await();
      if (runs.stream().noneMatch(Future::succeeded)) {
        runs.getFirst().await();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    log.timedLog("parameter-server finishes training after %.3f s".formatted(seconds));
  }

  private Future<Void> run(WorkerInfo trainer, RRef<BatchUpdateParameterServer> reference) {
    return rpc.with(PATIENT)
        .rpcAsync(trainer.name(), Trainer::runTrainer, reference)
        .onFailure(error -> lose(trainer));
  }

  /// The round goes on without a trainer that is lost. The gradients that it has sent count.
  private void lose(WorkerInfo trainer) {
    if (server.round().leave(trainer.id())) {
      int left = server.round().members();
      log.timedLog(
          "parameter-server has lost %s; the round goes on with %s"
              .formatted(trainer, left == 0 ? "nobody" : left + " of them"));
    }
  }
}
