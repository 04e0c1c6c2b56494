// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerObjects;
import dev.tensorbus.verticles.WorkerOptions;

/// Every rank other than 0: trains when the server calls it.
final class BatchTrainerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;

  BatchTrainerVerticle(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void serve(Rpc rpc) {
    WorkerInfo self = rpc.self();
    WorkerObjects.put(
        rpc, BatchTrainer.class, new BatchTrainer(options, self.name(), self.id(), progress));
  }
}
