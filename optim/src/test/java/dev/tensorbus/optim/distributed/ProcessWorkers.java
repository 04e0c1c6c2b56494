// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// Workers worker0, worker1, … of which the first is here and each other in a JVM of its own,
/// joined by Hazelcast.
final class ProcessWorkers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<ForkedJvm> others;
  private final Vertx here;
  private final Rpc first;

  /// Opens a world whose workers are ready.
  ProcessWorkers(int size) {
    int port = FreePort.find();
    others =
        IntStream.range(1, size)
            .mapToObj(
                rank -> ForkedJvm.start(ProcessWorkers.class, "" + port, "" + rank, "" + size))
            .toList();
    here = start(port, 0);
    first = open(here, 0, size);
    first.ready().await();
  }

  /// A worker in a JVM of its own.
  ///
  /// @param arguments the port of the cluster's master, the worker's rank, the size of the world
  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[1]);
    open(start(Integer.parseInt(arguments[0]), rank), rank, Integer.parseInt(arguments[2]));
    ForkedJvm.awaitEnd();
  }

  private static Vertx start(int port, int rank) {
    return new Cluster("127.0.0.1", port, rank == 0, PATIENCE).start();
  }

  private static Rpc open(Vertx vertx, int rank, int size) {
    RpcOptions options = RpcOptions.worldSize(size).withRank(rank).withRendezvousTimeout(PATIENCE);
    return Rpc.open(vertx, "worker" + rank, options).await();
  }

  /// The worker of rank 0.
  Rpc first() {
    return first;
  }

  @Override
  public void close() {
    first.leave().await();
    others.forEach(ForkedJvm::close);
    here.close().await();
  }
}
