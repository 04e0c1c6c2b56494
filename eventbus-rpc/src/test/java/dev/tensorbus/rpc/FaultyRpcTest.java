// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.FaultyNetwork;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/// The contract on a network that loses nothing but keeps no order and repeats itself.
class FaultyRpcTest extends RpcContract {
  private static final long SEED = Long.getLong("seed", 1);

  private static List<Vertx> hosts;

  private FaultyNetwork network;

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
    network = new FaultyNetwork(SEED);
    for (int rank = 0; rank < size; rank++) {
      network.attach("worker" + rank, hosts.get(rank));
    }
    network.suffer(
        Fault.delay(0.3, Duration.ofMillis(5)),
        Fault.duplicate(0.3).within(Duration.ofMillis(5)),
        Fault.reorder(0.2).within(Duration.ofMillis(5)));
    return new World(hosts.subList(0, size));
  }

  @AfterEach
  void closeNetwork() {
    network.close();
  }
}
