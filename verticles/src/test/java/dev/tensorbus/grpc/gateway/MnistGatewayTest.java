// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.mnist.BlankDigits;
import dev.tensorbus.verticles.mnist.MnistProgram;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A trainer that comes through the gateway of a parameter server of the MNIST program.
@Tag("slow")
class MnistGatewayTest {
  @Test
  void theWorldTrainsWithATrainerOutsideAndWaitsForItsEnd(@TempDir Path folder) throws Exception {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    int port = FreePort.find();
    JsonObject given =
        new JsonObject()
            .put("data", folder.toString())
            .put("servers", 2)
            .put("witness", true)
            .put("batchSize", 5)
            .put("epochs", 5)
            .put("lr", 0.1)
            .put("grpcPort", port)
            .put("grpcTrainers", 1);
    try (TestWorld world = TestWorld.start(MnistProgram.PROGRAM, given)) {
      world.await("learning from "); // or the first step waits until the trainers have their digits
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
      GatewayClient client = new GatewayClient(channel);
      var pushes = client.pushes();
      for (int step = 1; step <= 20; step++) { // the trainers of the world take ten
        GatewayClient.push(pushes, "outside", Map.of("fc2.bias", Tensor.zeros(10)));
        assertThat(pushes.next().getVersion()).isEqualTo(step + 1);
      }
      assertThat(world.said()).noneMatch(line -> line.startsWith("test accuracy "));
      var predictions = client.predictions();
      GatewayClient.ask(predictions, Tensor.zeros(3, 1, 28, 28));
      assertThat(GatewayClient.answer(predictions).shape().toArray()).containsExactly(3, 10);
      pushes.halfClose();
      assertThat(pushes.next()).isNull();
      channel.shutdownNow();
      for (int rank = 0; rank < 5; rank++) {
        world.finished(rank).await();
      }
      assertThat(world.said()).anyMatch(line -> line.startsWith("test accuracy 1.0000"));
    }
  }
}
