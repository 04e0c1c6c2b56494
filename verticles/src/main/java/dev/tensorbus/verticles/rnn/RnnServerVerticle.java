// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 0: holds the part of the model that the trainer's calls make.
final class RnnServerVerticle extends RpcWorker {
  RnnServerVerticle(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
  }

  /// There is one trainer only.
  @Override
  protected boolean needs(WorkerInfo other) {
    return true;
  }
}
