// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// The contract's themes, each worker on a Vertx of its own, joined by Hazelcast over loopback.
class HazelcastThemesIT {
  private static List<Vertx> hosts;

  @BeforeAll
  static void startHosts() {
    hosts = World.cluster(3);
  }

  @AfterAll
  static void stopHosts() {
    hosts.forEach(vertx -> vertx.close().await());
  }

  private static World world(int size) {
    return new World(hosts.subList(0, size));
  }

  @Nested
  class Collectives extends CollectiveContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Scopes extends CallScopeContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class References extends ReferenceContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Calls extends CallContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Futures extends FutureContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }
}
