// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static dev.tensorbus.nn.functional.Losses.nllLoss;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The ConvNet's gradient through a server in another JVM is the gradient computed here.
class DistributedGradientIT {
  private static final long SEED = Long.getLong("seed", 7L);
  private static final double RELATIVE = 1e-5;

  @Test
  void aDistributedGradientEqualsTheLocalOne() throws IOException, InterruptedException {
    Batch batch = Batch.of(StrokeDigits.draw(32, new SplittableRandom(SEED)));
    MnistNet local = new MnistNet(new SplittableRandom(SEED));
    Tensor localLoss = nllLoss(local.forward(batch.inputs()), batch.targets());
    localLoss.backward();

    int port = FreePort.find();
    Process server = Commands.java(Server.class, Integer.toString(port));
    Vertx vertx = new Cluster("127.0.0.1", port, false, Duration.ofSeconds(60)).start();
    try (Rpc rpc =
        Rpc.init(vertx, "trainer1", RpcOptions.worldSize(2).withRank(1).withProgram("mnist"))) {
      RRef<ParameterServer> remote = rpc.remote("parameter-server", ParameterServer::shared);
      List<RRef<Tensor>> parameters = remote.rpcSync(ParameterServer::parameterRefs);
      try (var context = DistAutograd.context(rpc)) {
        Tensor loss =
            nllLoss(remote.rpcSync(ParameterServer::forward, batch.inputs()), batch.targets());
        context.backward(loss);

        assertThat(loss.item()).isEqualTo(localLoss.item());
        for (int index = 0; index < parameters.size(); index++) {
          Tensor distributed =
              parameters.get(index).rpcSync(DistributedGradientIT::gradient, context.id());
          requireClose(index, distributed, local.parameters().get(index).grad());
        }
      }
      remote.rpcSync(ParameterServer::finish);
      remote.rpcSync(ParameterServer::evaluated); // which the server waits for
    } finally {
      vertx.close().await();
      server.destroyForcibly().waitFor();
    }
  }

  private static void requireClose(int index, Tensor actual, Tensor expected) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < expected.values().length; i++) {
      difference += Math.pow(actual.values()[i] - (double) expected.values()[i], 2);
      size += Math.pow(expected.values()[i], 2);
    }
    assertThat(Math.sqrt(difference / size))
        .as("relative difference in parameter %d, seed %d", index, SEED)
        .isLessThanOrEqualTo(RELATIVE);
  }

  @Remote
  static Tensor gradient(Tensor parameter, long context) {
    return DistAutograd.gradients(context).get(parameter);
  }

  /// The server's JVM.
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) {
      int port = Integer.parseInt(arguments[0]);
      Vertx vertx = new Cluster("127.0.0.1", port, true, Duration.ofSeconds(60)).start();
      JsonObject options = new JsonObject().put("worldSize", 2).put("rank", 0).put("seed", SEED);
      WorkerOptions worker = WorkerOptions.of(MnistProgram.PROGRAM.settings(), options);
      vertx.deployVerticle(new MnistServerVerticle(worker)).await();
    }
  }
}
