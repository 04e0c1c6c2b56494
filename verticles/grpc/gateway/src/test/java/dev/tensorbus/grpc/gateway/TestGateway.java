// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A world of two workers in this JVM, `server` and `helper`; the server serves a small model and
/// has a gateway.
final class TestGateway implements AutoCloseable {
  static final double RATE = 0.5;

  final Vertx vertx = Vertx.vertx();
  final Linear model = new Linear(3, 2, new SplittableRandom(1));
  final Rpc server;
  final Rpc helper;
  final ModelServer served;
  private final ParameterServer parameters;
  final GrpcGateway gateway;
  private final List<ManagedChannel> channels = new ArrayList<>();

  /// @param trainers the number of trainers that must join before the first step; 0 for a model
  ///     that can only be read
  TestGateway(GatewayOptions options, int trainers) {
    RpcOptions world = RpcOptions.worldSize(2).withTimeout(Duration.ofMinutes(1));
    server = Rpc.open(vertx, "server", world.withRank(0)).await();
    helper = Rpc.open(vertx, "helper", world.withRank(1)).await();
    Future.all(server.ready(), helper.ready()).await();
    Linear twin = new Linear(3, 2, new SplittableRandom(2));
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(3));
    Batching batching = new Batching(8, Duration.ofMillis(20));
    parameters = ParameterServer.start(server, ServerOptions.of("server"));
    StoreOptions group = StoreOptions.of("server").withTrainers(trainers);
    served =
        trainers == 0
            ? new ModelServer(model, predictor, batching)
            : new ModelServer(server, model, predictor, new Sgd(RATE), group, batching);
    Exports exports = Exports.of(Functions.class, WorkerState.class).with(served);
    gateway = GrpcGateway.open(server, options, exports).await();
  }

  TestGateway() {
    this(GatewayOptions.onLoopback(0), 0);
  }

  /// A client of its own connection.
  GatewayClient client() {
    return client(gateway.port());
  }

  /// A client of another gateway.
  GatewayClient client(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    channels.add(channel);
    return new GatewayClient(channel);
  }

  Tensor weight() {
    return served.pull(List.of("weight"), 0).tensors().get("weight");
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    gateway.close().await();
    Future.join(server.leave(), helper.leave()).await();
    parameters.close();
    vertx.close().await();
  }
}
