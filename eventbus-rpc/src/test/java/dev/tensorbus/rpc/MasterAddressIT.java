// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterAddressIT {
  private static final int LARGE = 1 << 20;

  @ParameterizedTest
  @ValueSource(strings = {"::1", "[::1]", "localhost"})
  void aWorldMeetsAtAnIpv6AddressOrAHostName(String address) {
    assumeTrue(isHere(address), "this machine has no address " + address);
    int port = FreePort.find();
    List<Vertx> hosts = List.of(start(address, port, true), start(address, port, false));
    try (World world =
        new World(
            World.PATIENCE,
            hosts.stream().<World.Host>map(MasterAddressIT::withSockets).toList())) {
      Tensor x = Tensor.ones(LARGE);
      assertThat(world.worker(0).rpcSync("worker1", Tensor::add, x, x).sum().item())
          .isEqualTo(2f * LARGE);
    } finally {
      hosts.forEach(vertx -> vertx.close().await());
    }
  }

  private static Vertx start(String address, int port, boolean isMaster) {
    return new Cluster(address, port, isMaster, World.PATIENCE)
        .withHeartbeatTimeout(World.SILENCE)
        .start();
  }

  /// Tensors travel by sockets, as between machines.
  private static World.Host withSockets(Vertx vertx) {
    return (name, options) -> Rpc.open(vertx, name, options.withLanes(Lane.SOCKET));
  }

  private static boolean isHere(String address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Hazelcast's own joiner gives up where a connection takes more than a second.
  @Test
  void aMasterThatCannotBeReachedAtFirstIsJoinedOnceItCan() throws Exception {
    int port = FreePort.find();
    CountDownLatch hasGivenUp = new CountDownLatch(1);
    Logger node = Logger.getLogger("com.hazelcast.instance.impl.Node");
    Handler listener = whenGivenUp(hasGivenUp);
    Future<Vertx> other;
    node.setLevel(Level.FINE);
    node.addHandler(listener);
    try (ServerSocket full = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
        Socket _ = new Socket(full.getInetAddress(), port);
        Socket _ = new Socket(full.getInetAddress(), port)) {
      other = new Cluster("127.0.0.1", port, false, World.PATIENCE).builder().buildClustered();
      assertThat(hasGivenUp.await(World.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      node.removeHandler(listener);
      node.setLevel(null);
    }
    Vertx master = start("127.0.0.1", port, true);
    try {
      Vertx joined = World.await(other);
      assertThat(((VertxInternal) joined).clusterManager().getNodes()).hasSize(2);
      joined.close().await();
    } finally {
      master.close().await();
    }
  }

  private static Handler whenGivenUp(CountDownLatch latch) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        if (record.getMessage().contains("Could not join cluster")) {
          latch.countDown();
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void theAddressOfEveryInterfaceIsRefused(String address) {
    assertThatThrownBy(() -> start(address, FreePort.find(), true))
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "master address \""
                + address
                + "\" is a wildcard address; pass the address of rank 0 that the other workers can"
                + " reach, as --master-addr");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fe80::1", "[fe80::1]"})
  void aLinkLocalAddressIsRefused(String address) {
    assertThatThrownBy(() -> start(address, FreePort.find(), false))
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "master address \""
                + address
                + "\" is link-local: other machines know the interface by another name; pass a"
                + " global address or one of fd00::/8 as --master-addr");
  }

  @Test
  void aHostWithoutAnAddressIsNamed() {
    Cluster nowhere = new Cluster("no.such.host.invalid", 29_500, true, Duration.ofSeconds(1));
    assertThatThrownBy(nowhere::start)
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "unknown host \"no.such.host.invalid\"; pass the address of rank 0 as --master-addr");
  }
}
