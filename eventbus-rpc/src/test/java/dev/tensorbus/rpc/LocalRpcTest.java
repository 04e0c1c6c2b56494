// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// All workers on one Vertx without a cluster; every tensor is handed over, however small.
class LocalRpcTest extends RpcContract {
  private static Vertx vertx;

  @BeforeAll
  static void startHost() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stopHost() {
    vertx.close().await();
  }

  @Override
  World open(int size) {
    World.Host host = World.Host.ofLargeTensors(vertx);
    return new World(World.PATIENCE, Collections.nCopies(size, host));
  }
}
