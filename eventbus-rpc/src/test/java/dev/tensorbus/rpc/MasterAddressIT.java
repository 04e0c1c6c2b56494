// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.FreePort;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
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

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void theAddressOfEveryInterfaceIsRefused(String address) {
    assertThatThrownBy(() -> start(address, FreePort.find(), true))
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "master address \""
                + address
                + "\" is every address of a machine; give the one of"
                + " rank 0 that the other workers reach, as --master-addr");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fe80::1", "[fe80::1]"})
  void aLinkLocalAddressIsRefused(String address) {
    assertThatThrownBy(() -> start(address, FreePort.find(), false))
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "master address \""
                + address
                + "\" is link-local: other machines know the interface by another name; give a"
                + " global address or one of fd00::/8 as --master-addr");
  }

  @Test
  void aHostWithoutAnAddressIsNamed() {
    Cluster nowhere = new Cluster("no.such.host.invalid", 29_500, true, Duration.ofSeconds(1));
    assertThatThrownBy(nowhere::start)
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "no host \"no.such.host.invalid\"; give the address of rank 0 as --master-addr");
  }
}
