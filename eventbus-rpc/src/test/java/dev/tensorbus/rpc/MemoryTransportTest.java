// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.transport.memory.MemoryTransport;
import dev.tensorbus.rpc.worker.WorkerAssembly;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Workers whose frames do not travel on the event bus.
class MemoryTransportTest extends RpcContract {
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
    MemoryTransport.Network network = new MemoryTransport.Network();
    return new World(
        World.PATIENCE, hosts.subList(0, size).stream().map(host -> on(host, network)).toList());
  }

  private static World.Host on(Vertx vertx, MemoryTransport.Network network) {
    return (name, options) ->
        WorkerAssembly.open(vertx, name, options, Platform.ofSystem(name), network::connect);
  }
}
