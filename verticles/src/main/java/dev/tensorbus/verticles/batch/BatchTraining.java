// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import java.util.SplittableRandom;

/// The server's part of a run: runs all trainers concurrently until they are done.
public final class BatchTraining implements AutoCloseable {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final Rpc rpc;
  private final TimedLog log;
  private final RRef<BatchUpdateParameterServer> server;
  private final TrainerRuns runs;
  private final Runnable save;

  /// Creates the model described by the options; all other workers are its trainers.
  public BatchTraining(Rpc rpc, WorkerOptions options, Progress progress) {
    this.rpc = rpc;
    this.log = new TimedLog(progress);
    Workload workload = Workload.of(options, new SplittableRandom(options.seed()));
    Checkpoint checkpoint = workload.checkpoint();
    options.path(Setting.RESUME).ifPresent(checkpoint::restore);
    this.save = () -> options.path(Setting.SAVE).ifPresent(checkpoint::save);
    BatchUpdateParameterServer made =
        new BatchUpdateParameterServer(workload.model(), BatchProgram.optimizer(options), log);
    this.server = rpc.rref(made);
    this.runs = new TrainerRuns(rpc, made.trainers(), this::run, log);
  }

  /// Runs the trainers, each for the configured number of rounds, and waits until all live trainers
  /// are done.
  ///
  /// @throws RuntimeException the failure of the first trainer, if all have failed
  public void runPs() {
    log.timedLog("parameter-server starts training");
    Stopwatch stopwatch = Stopwatch.start();
    runs.trainAll();
    save.run();
    log.timedLog("parameter-server finishes training after %.3f s".formatted(stopwatch.seconds()));
  }

  private Future<Void> run(WorkerInfo trainer) {
    return rpc.with(PATIENT).rpcAsync(trainer.name(), BatchTrainer::runTrainer, server);
  }

  @Override
  public void close() {
    server.close();
  }
}
