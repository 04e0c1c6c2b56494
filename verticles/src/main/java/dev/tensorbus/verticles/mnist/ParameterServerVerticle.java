// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.DoorSettings;
import dev.tensorbus.verticles.Provided;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.grpc.Exports;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Rank 0: serves until every trainer is done, those outside of the world too.
final class ParameterServerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private @Nullable ServedModel served;

  ParameterServerVerticle(WorkerOptions options) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
  }

  @Override
  protected void serve(Rpc rpc) {
    MnistNet net = new MnistNet(new SplittableRandom(options.seed()));
    UnaryOperator<Tensor> forward = ForwardPass.of(net, options);
    ParameterServer server = new ParameterServer(net, forward, options.worldSize() - 1);
    rpc.onWorkerLost(server::lose);
    if (DoorSettings.of(options).isPresent()) {
      int outside = options.whole(DoorSettings.TRAINERS);
      served = server.serve(options.lr(), outside, DoorSettings.batching(options));
    }
    Provided.put(rpc, ParameterServer.class, server);
  }

  @Override
  protected Exports exports(Rpc rpc) {
    return super.exports(rpc).with(Objects.requireNonNull(served, "a door without a model"));
  }

  /// Trainers outside are no workers, for whom the end of the world would wait.
  @Override
  protected void work(Rpc rpc) {
    if (served != null) {
      served.trainersEnded().await();
    }
  }
}
