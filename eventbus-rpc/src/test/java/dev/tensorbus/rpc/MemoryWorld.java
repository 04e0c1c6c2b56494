// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.FaultyNetwork;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Workers worker0, worker1, … in memory, each on a host of its own that can be killed, over a
/// network that can be made faulty.
public final class MemoryWorld implements AutoCloseable {
  private final MemoryCluster cluster = new MemoryCluster();
  private final FaultyNetwork network = new FaultyNetwork(1);
  private final List<Vertx> hosts;
  private final List<Rpc> workers = new ArrayList<>();

  /// Opens a world whose workers are ready.
  ///
  /// @param options changes the options of each, whose calls have [World#CALL_TIME], and who is
  ///     not taken for dead because the machine is busy
  public MemoryWorld(int size, UnaryOperator<RpcOptions> options) {
    hosts = new ArrayList<>(Stream.generate(cluster::start).limit(size).toList());
    for (int rank = 0; rank < size; rank++) {
      network.attach("worker" + rank, hosts.get(rank));
      RpcOptions its = options.apply(patient(RpcOptions.worldSize(size)).withRank(rank));
      workers.add(open(rank, its));
    }
    workers.forEach(worker -> worker.ready().await());
  }

  public MemoryWorld(int size) {
    this(size, UnaryOperator.identity());
  }

  private static RpcOptions patient(RpcOptions options) {
    return options.withTimeout(World.CALL_TIME).withHeartbeatTimeout(World.SILENCE);
  }

  private Rpc open(int rank, RpcOptions options) {
    return Rpc.open(hosts.get(rank), "worker" + rank, options).await();
  }

  public Rpc worker(int rank) {
    return workers.get(rank);
  }

  /// Where a worker lives.
  public Vertx host(int rank) {
    return hosts.get(rank);
  }

  public FaultyNetwork network() {
    return network;
  }

  /// Ends a worker's host without a goodbye.
  public void kill(int rank) {
    cluster.kill(hosts.get(rank)).await();
  }

  /// Puts a new worker, as patient as the others, in the place of one that is gone.
  public Rpc replace(int rank, RpcOptions options) {
    hosts.set(rank, cluster.start());
    workers.set(rank, open(rank, patient(options)));
    return workers.get(rank);
  }

  @Override
  public void close() {
    network.close();
    Future.join(workers.stream().map(Rpc::leave).toList()).otherwiseEmpty().await();
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }
}
