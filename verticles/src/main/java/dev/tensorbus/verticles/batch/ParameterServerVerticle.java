// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.List;
import java.util.SplittableRandom;

/// Rank 0: owns the model and tells the trainers to begin.
final class ParameterServerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final TimedLog log;

  ParameterServerVerticle(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.log = new TimedLog(progress);
  }

  @Override
  protected void work(Rpc rpc) {
    List<WorkerInfo> trainers =
        rpc.workers().stream().filter(worker -> !worker.equals(rpc.self())).toList();
    BatchUpdateParameterServer server =
        new BatchUpdateParameterServer(
            Workload.of(options, new SplittableRandom(options.seed())).model(),
            new Sgd(options.lr()).withMomentum((float) options.number(BatchProgram.MOMENTUM)),
            trainers,
            log);
    new BatchTraining(rpc, log).runPs(server, trainers);
  }
}
