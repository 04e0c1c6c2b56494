// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.StoreCheckpoints;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.SplittableRandom;

/// The network and its parameters in a world with parameter servers.
final class MnistStore {
  private MnistStore() {}

  /// Returns the options with which all trainers join. They share the digits, unless trainers
  /// outside the world take part, who have digits of their own.
  static StoreOptions options(WorkerOptions options, StoreCheckpoints checkpoints) {
    StoreOptions store = ServerSettings.store(options);
    int outside = options.whole(GatewaySettings.TRAINERS);
    return outside == 0
        ? checkpoints.sharded(store)
        : store.withTrainers(store.trainers() + outside);
  }

  /// Returns the network with its first values.
  static MnistNet network(WorkerOptions options, StoreCheckpoints checkpoints) {
    MnistNet net = new MnistNet(new SplittableRandom(options.seed()));
    checkpoints.weights().ifPresent(checkpoint(net)::restore);
    return net;
  }

  /// Returns what is saved of a network.
  static Checkpoint checkpoint(MnistNet net) {
    return new Checkpoint().withModel("net", net);
  }

  /// Returns the optimizer of all trainers.
  static Sgd optimizer(WorkerOptions options) {
    return new Sgd(options.lr());
  }

  /// Serves the network to the callers of a gateway.
  static ModelServer serve(Rpc rpc, WorkerOptions options) {
    StoreCheckpoints checkpoints = StoreCheckpoints.of(options);
    MnistNet twin = new MnistNet(new SplittableRandom(0)); // receives the current weights
    ModelServer served =
        new ModelServer(
            rpc,
            network(options, checkpoints),
            new Predictor(twin, twin::forward, Shape.of(1, 28, 28)),
            optimizer(options),
            options(options, checkpoints),
            GatewaySettings.batching(options));
    return options.isOn(GatewaySettings.SKIP_NONFINITE) ? served.skipNonFinite() : served;
  }
}
