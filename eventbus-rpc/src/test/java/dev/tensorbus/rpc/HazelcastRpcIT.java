// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Each worker on a Vertx of its own, joined by Hazelcast over loopback.
class HazelcastRpcIT extends RpcContract {
  private static List<Vertx> hosts;

  @BeforeAll
  static void startHosts() {
    hosts = World.cluster(3);
  }

  @AfterAll
  static void stopHosts() {
    hosts.forEach(vertx -> vertx.close().await());
  }

  @Override
  World open(int size) {
    return new World(hosts.subList(0, size));
  }
}
