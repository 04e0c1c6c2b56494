// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Workers of one host share a range of ports.
class PortRangeIT {
  private static final int LARGE = 1 << 18;

  private static Cluster cluster(int rank, PortRange ports) {
    return World.meetingAt(ports.first(), rank == 0).withPorts(ports);
  }

  /// The others start at the same time.
  private static List<Vertx> start(int size, PortRange ports) {
    Vertx first = cluster(0, ports).start();
    List<Future<Vertx>> others =
        IntStream.range(1, size)
            .mapToObj(rank -> cluster(rank, ports).builder().buildClustered())
            .toList();
    return Stream.concat(Stream.of(first), others.stream().map(World::await)).toList();
  }

  private static World.Host withSockets(Vertx vertx, PortRange ports) {
    return (name, options) ->
        Rpc.open(vertx, name, options.withLanes(Lane.SOCKET).withPorts(ports));
  }

  @Test
  void threeWorkersNeedNineAndAFourthIsToldThatAllAreTaken() {
    PortRange ports = FreePort.range(9);
    List<Vertx> hosts = start(3, ports);
    try (World world =
        new World(
            World.PATIENCE, hosts.stream().map(vertx -> withSockets(vertx, ports)).toList())) {
      Tensor x = Tensor.ones(LARGE);
      for (int rank = 0; rank < 3; rank++) {
        Rpc worker = world.worker(rank);
        assertThat(worker.rpcSync("worker" + (rank + 1) % 3, Tensor::add, x, x).sum().item())
            .isEqualTo(2f * LARGE);
        assertThat(worker.debugInfo()).containsEntry("lane.bus", 0L);
      }
      assertThatThrownBy(() -> cluster(3, ports).start())
          .isInstanceOf(RendezvousException.class)
          .hasMessage(
              "all ports of %s are taken at 127.0.0.1; add ports with --ports, 3 for each"
                  + " worker of this host",
              ports);
    } finally {
      Future.join(hosts.stream().map(Vertx::close).toList()).await();
    }
  }

  @Test
  void anEventBusThatFindsNoPortSaysSo() throws IOException {
    PortRange ports = FreePort.range(4);
    try (ServerSocket _ = taken(ports.first() + 1);
        ServerSocket _ = taken(ports.first() + 2)) {
      try (ServerSocket _ = taken(ports.last())) {
        assertThatThrownBy(() -> cluster(0, ports).start())
            .isInstanceOf(RendezvousException.class)
            .hasMessageStartingWith("all ports of " + ports + " are taken at 127.0.0.1");
      }
      Vertx vertx = cluster(0, ports).start();
      int port = ((VertxInternal) vertx).clusterManager().getNodeInfo().port();
      assertThat(port).isEqualTo(ports.last());
      vertx.close().await();
    }
  }

  private static ServerSocket taken(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  /// An application may have set the port of its event bus itself.
  @Test
  void eachTensorsDoorIsSearchedForInTheRange() throws IOException {
    PortRange ports = FreePort.range(4);
    List<ServerSocket> doors = new ArrayList<>();
    for (int port : ports.candidates()) {
      doors.add(taken(port));
    }
    List<Vertx> hosts = World.cluster(2);
    try (World world =
        new World(
            World.PATIENCE, hosts.stream().map(vertx -> withSockets(vertx, ports)).toList())) {
      Tensor x = Tensor.ones(LARGE);
      assertThat(world.worker(0).rpcSync("worker1", Tensor::add, x, x).sum().item())
          .as("it comes over the event bus")
          .isEqualTo(2f * LARGE);
      assertThat(world.worker(0).debugInfo()).containsEntry("lane.bus", 1L);
    } finally {
      Future.join(hosts.stream().map(Vertx::close).toList()).await();
      for (ServerSocket door : doors) {
        door.close();
      }
    }
  }
}
