// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Workers worker0, worker1, … in memory, each on a host of its own.
public final class Workers implements AutoCloseable {
  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts;
  private final List<Rpc> workers;

  /// Opens a world whose workers are ready.
  public Workers(int size) {
    hosts = Stream.generate(cluster::start).limit(size).toList();
    workers = IntStream.range(0, size).mapToObj(rank -> open(rank, size)).toList();
    workers.forEach(worker -> worker.ready().await());
  }

  private Rpc open(int rank, int size) {
    RpcOptions options = RpcOptions.worldSize(size).withRank(rank);
    return Rpc.open(hosts.get(rank), "worker" + rank, options).await();
  }

  /// The worker of this rank.
  public Rpc worker(int rank) {
    return workers.get(rank);
  }

  @Override
  public void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).otherwiseEmpty().await();
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }
}
