// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.grpc.model.Batching;
import dev.tensorbus.verticles.grpc.model.Predictor;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import dev.tensorbus.verticles.grpc.server.DoorOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A world of two workers in this JVM, `server` and `helper`; the server serves a small model and
/// has a door.
final class TestDoor implements AutoCloseable {
  static final double RATE = 0.5;

  final Vertx vertx = Vertx.vertx();
  final Linear model = new Linear(3, 2, new SplittableRandom(1));
  final Rpc server;
  final Rpc helper;
  final Door door;
  private final List<ManagedChannel> channels = new ArrayList<>();

  /// @param trainers that are expected
  TestDoor(DoorOptions options, int trainers) {
    RpcOptions world = RpcOptions.worldSize(2).withTimeout(Duration.ofMinutes(1));
    server = Rpc.open(vertx, "server", world.withRank(0)).await();
    helper = Rpc.open(vertx, "helper", world.withRank(1)).await();
    Future.all(server.ready(), helper.ready()).await();
    Linear twin = new Linear(3, 2, new SplittableRandom(2));
    Batching batching = new Batching(8, Duration.ofMillis(20));
    ServedModel served =
        new ServedModel(
            model,
            new Predictor(twin, twin::forward, Shape.of(3)),
            new Sgd(RATE),
            trainers,
            batching);
    Exports exports = Exports.of(Functions.class, WorkerState.class).with(served);
    door = Door.open(vertx, server, options, exports).await();
  }

  TestDoor() {
    this(DoorOptions.onLoopback(0), 0);
  }

  /// A client of its own connection.
  DoorClient client() {
    return client(door.port());
  }

  /// A client of another door.
  DoorClient client(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    channels.add(channel);
    return new DoorClient(channel);
  }

  Tensor weight() {
    return model.namedParameters().get("weight").detach();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    door.close().await();
    Future.join(server.leave(), helper.leave()).await();
    vertx.close().await();
  }
}
