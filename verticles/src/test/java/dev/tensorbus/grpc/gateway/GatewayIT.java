// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The gateway of the jar that users run.
class GatewayIT {
  @Test
  void theModelIsOpenToOthersWhileTheWorldTrainsIt() throws Exception {
    int port = FreePort.find();
    try (Running world = train(port, "--world-size", "2", "--epochs", "10")) {
      world.await("gRPC on 127.0.0.1:" + port);
      world.await(" 100/");
      ManagedChannel channel = channel(port);
      drive(new GatewayClient(channel), world);
      channel.shutdownNow();
    }
  }

  @Test
  void aTrainerOutsideTrainsParametersOnAServer() throws Exception {
    int port = FreePort.find();
    try (Running world =
        train(port, "--servers", "1", "--world-size", "2", "--grpc-trainers", "1")) {
      world.await("gRPC on 127.0.0.1:" + port);
      world.await("learning from "); // or the first step waits until the trainer's JVM has started
      ManagedChannel channel = channel(port);
      var pushes = new GatewayClient(channel).pushes();
      for (int step = 1; step <= 20; step++) {
        GatewayClient.push(pushes, "outside", Map.of("fc2.bias", Tensor.zeros(10)));
        assertThat(pushes.next().getVersion()).isEqualTo(step + 1);
      }
      world.terminate();
      channel.shutdownNow();
    }
  }

  private static Running train(int port, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("train", "mnist", "--grpc-port", Integer.toString(port)));
    command.addAll(List.of(options));
    return Commands.jar("tensorbus.jar", command.toArray(String[]::new));
  }

  private static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  private static void drive(GatewayClient client, Running world) {
    assertThat(client.health("")).isEqualTo(ServingStatus.SERVING);
    assertThat(client.pull(0).names())
        .containsExactly(
            "conv1.weight",
            "conv1.bias",
            "conv2.weight",
            "conv2.bias",
            "fc1.weight",
            "fc1.bias",
            "fc2.weight",
            "fc2.bias");
    var pushes = client.pushes();
    GatewayClient.push(pushes, "outside", Map.of("fc2.bias", Tensor.zeros(10)));
    assertThatThrownBy(pushes::next).hasMessageContaining("this model is read-only");
    var predictions = client.predictions();
    GatewayClient.ask(predictions, Tensor.zeros(3, 1, 28, 28));
    assertThat(GatewayClient.answer(predictions).shape().toArray()).containsExactly(3, 10);
    awaitStep("trainer1", client.watch());
    assertThat(client.call("trainer1", "debug_info", List.of()).value().hasMap()).isTrue();
    world.terminate();
  }

  private static void awaitStep(String trainer, Talk<WatchRequest, WatchResponse> watch) {
    WatchResponse event;
    do {
      event = watch.next();
    } while (!event.getStep().getTrainer().equals(trainer));
    assertThat(event.getStep().getLoss()).isPositive();
    assertThat(event.getStep().getExamples()).isEqualTo(32);
    assertThat(event.getStep().getVersion()).isGreaterThan(100);
  }
}
