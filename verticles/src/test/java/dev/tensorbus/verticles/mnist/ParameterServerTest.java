// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.models.MnistNet;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.Provided;
import io.vertx.core.Vertx;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ParameterServerTest {
  @Test
  void aTrainerThatAsksBeforeTheServerIsMadeWaitsForIt() {
    Vertx vertx = new MemoryCluster().start();
    try {
      RpcOptions world = RpcOptions.worldSize(2);
      Rpc server = Rpc.open(vertx, "parameter-server", world.withRank(0)).await();
      Rpc trainer = Rpc.open(vertx, "trainer1", world.withRank(1)).await();
      RRef<ParameterServer> early = trainer.remote("parameter-server", ParameterServer::shared);
      MnistNet net = new MnistNet(new SplittableRandom(1));
      ParameterServer provided = new ParameterServer(net, net::forward, 1);
      Provided.put(server, ParameterServer.class, provided);
      assertThat(early.rpcSync(ParameterServer::parameterRefs)).hasSize(8);
    } finally {
      vertx.close().await();
    }
  }
}
