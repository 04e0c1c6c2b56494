// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 0: owns the parts of the model that the trainer creates on it.
final class RnnServerVerticle extends RpcWorker {
  RnnServerVerticle(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
  }

  /// Always true: the server cannot continue without its only trainer.
  @Override
  protected boolean needs(WorkerInfo other) {
    return true;
  }
}
