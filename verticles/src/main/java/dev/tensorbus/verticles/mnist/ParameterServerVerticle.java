// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.DoorSettings;
import dev.tensorbus.verticles.Progress;
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
  private final Progress progress;
  private @Nullable ServedModel served;

  ParameterServerVerticle(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
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
      if (options.worldSize() == 1) {
        workAlone(rpc, served);
      }
      served.trainersEnded().await();
    }
  }

  /// Tells of the trainers outside, and does what else one of the world would: the test.
  private void workAlone(Rpc rpc, ServedModel model) {
    Data data = Data.of(options);
    progress.say(
        "learning from %d that train through gRPC, tested on %d digits %s"
            .formatted(model.trainers(), data.test().size(), data.source()));
    progress.start(0);
    model.onStep(step -> progress.step(step.examples(), step.loss()));
    model.trainersEnded().await();
    UnaryOperator<Tensor> taught = Provided.await(rpc, ParameterServer.class).taught();
    progress.say("test accuracy %.4f".formatted(data.accuracy(taught)));
  }
}
