// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Every tensor travels through shared memory, however small.
class LaneRpcTest extends RpcContract {
  private static List<Vertx> hosts;

  @BeforeAll
  static void startHosts() {
    hosts = Stream.generate(new MemoryCluster()::start).limit(3).toList();
  }

  @AfterAll
  static void stopHosts() {
    hosts.forEach(vertx -> vertx.close().await());
  }

  @Override
  World open(int size) {
    return new World(
        World.PATIENCE, hosts.subList(0, size).stream().map(World.Host::ofLargeTensors).toList());
  }
}
