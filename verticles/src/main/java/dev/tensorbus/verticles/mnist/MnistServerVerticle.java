// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.WorkerState;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.DeviceSettings;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerObjects;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// Rank 0: serves the model until all trainers are done.
final class MnistServerVerticle extends RpcWorker {
  private final WorkerOptions options;

  MnistServerVerticle(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
  }

  @Override
  protected void serve(Rpc rpc) {
    MnistNet net = new MnistNet(new SplittableRandom(options.seed()));
    UnaryOperator<Tensor> forward = ForwardPass.of(net, options);
    Checkpoint checkpoint = new Checkpoint().withModel("net", net);
    options.path(Setting.RESUME).ifPresent(checkpoint::restore);
    ParameterServer server =
        new ParameterServer(
            net,
            forward,
            new Sgd(options.lr()).over(net.parameters()),
            options.worldSize() - 1,
            () -> options.path(Setting.SAVE).ifPresent(checkpoint::save));
    DeviceSettings.of(options).ifPresent(server::compile);
    rpc.onWorkerLost(server::lose);
    rpc.onWorkerJoined(server::welcome);
    if (GatewaySettings.isOn(options)) {
      ModelServer served = server.serve(GatewaySettings.batching(options));
      WorkerObjects.put(rpc, Exports.class, Exports.of(WorkerState.class).with(served));
    }
    WorkerObjects.put(rpc, ParameterServer.class, server);
  }

  @Override
  protected void work(Rpc rpc) {
    try (ParameterServer server = WorkerObjects.await(rpc, ParameterServer.class)) {
      server.trained().await();
    }
  }
}
