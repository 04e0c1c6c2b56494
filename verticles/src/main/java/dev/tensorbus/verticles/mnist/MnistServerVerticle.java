// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.WorkerState;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.rpc.Progress;
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
import org.jspecify.annotations.Nullable;

/// Rank 0: serves the model until all trainers are done, including gRPC trainers.
final class MnistServerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;
  private @Nullable ModelServer served;

  MnistServerVerticle(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
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
      int outside = options.whole(GatewaySettings.TRAINERS);
      served =
          server.serve(
              outside, GatewaySettings.consistency(options), GatewaySettings.batching(options));
      WorkerObjects.put(rpc, Exports.class, Exports.of(WorkerState.class).with(served));
      if (options.isOn(GatewaySettings.SKIP_NONFINITE)) {
        served.skipNonFinite();
      }
      if (options.worldSize() == 1) { // before the gateway opens, so that every step is counted
        progress.start(0);
        served.onStep(step -> progress.step(step.examples(), step.loss()));
      }
    }
    WorkerObjects.put(rpc, ParameterServer.class, server);
  }

  /// Waits for the gRPC trainers: they are not workers, so the world would end without waiting for
  /// them.
  @Override
  protected void work(Rpc rpc) {
    try (ParameterServer server = WorkerObjects.await(rpc, ParameterServer.class)) {
      if (served != null) {
        if (options.worldSize() == 1) {
          workAlone(server, served);
        }
        served.trainers().allDeparted().await(); // does not fail if some are lost
      }
      if (options.worldSize() > 1) {
        server.trained().await();
      }
      server.endEpoch(); // saves the updates of gRPC trainers, too
    }
  }

  /// Waits for the gRPC trainers, then evaluates the model, because the world has no trainer to do
  /// so.
  private void workAlone(ParameterServer server, ModelServer model) {
    Data data = Data.of(options);
    Digits test = data.test();
    progress.say(
        "training with %d gRPC trainers, tested on %d digits %s"
            .formatted(model.trainers().expected(), test.size(), data.source()));
    model.trained().await();
    Data.evaluate(test, server.taught(), progress);
  }
}
