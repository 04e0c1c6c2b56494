// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Provided;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 0: serves until every trainer is done.
final class ParameterServerVerticle extends RpcWorker {
  private final WorkerOptions options;

  ParameterServerVerticle(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
  }

  @Override
  protected void serve(Rpc rpc) {
    ParameterServer server = new ParameterServer(options.seed(), options.worldSize() - 1);
    rpc.onWorkerLost(server::lose);
    Provided.put(rpc, ParameterServer.class, server);
  }
}
