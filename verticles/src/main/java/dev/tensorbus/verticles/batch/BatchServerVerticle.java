// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 0: owns the model and starts the trainers.
final class BatchServerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;

  BatchServerVerticle(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    try (BatchTraining training = new BatchTraining(rpc, options, progress)) {
      training.runPs();
    }
  }
}
