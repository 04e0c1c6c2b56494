// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/// Vertx instances that are joined in memory, for the tests of one class.
public final class MemoryHosts implements AutoCloseable {
  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = new ArrayList<>();

  /// Has no Vertx yet.
  public MemoryHosts() {}

  /// Opens a world of this many workers, each on a Vertx of its own.
  public World open(int size) {
    while (hosts.size() < size) {
      hosts.add(cluster.start());
    }
    return new World(hosts.subList(0, size));
  }

  /// Starts one more Vertx, which the test may do with as it likes.
  Vertx start() {
    return cluster.start();
  }

  /// Ends a Vertx as a power cut does.
  void kill(Vertx vertx) {
    cluster.kill(vertx).await();
  }

  /// Closes them all; the next world is on others.
  @Override
  public void close() {
    hosts.forEach(vertx -> vertx.close().await());
    hosts.clear();
  }
}
