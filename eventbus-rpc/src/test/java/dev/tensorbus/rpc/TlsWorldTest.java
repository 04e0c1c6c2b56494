// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.transport.listen.Authority;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Worlds with certificates.
class TlsWorldTest {
  private static final Duration JOINING = Duration.ofSeconds(3);
  private static final int LARGE = 1 << 20;

  @TempDir private static Path folder;

  private static Path own;
  private static Path others;

  private final int port = FreePort.find();
  private final List<Vertx> hosts = new ArrayList<>();

  @BeforeAll
  static void certify() throws Exception {
    own = Authority.in(folder.resolve("own"), 1).certify("worker");
    others = Authority.in(folder.resolve("others"), 1).certify("worker");
  }

  @AfterEach
  void close() {
    hosts.reversed().forEach(vertx -> vertx.close().await());
  }

  private void start() {
    for (boolean isMaster : new boolean[] {true, false, false}) {
      hosts.add(World.meetingAt(port, isMaster).withTls(own).start());
    }
  }

  @Test
  void workersWithCertificatesOfOneAuthorityCallEachOther() {
    start();
    List<World.Host> withSockets =
        hosts.stream()
            .<World.Host>map(
                vertx -> (name, options) -> Rpc.open(vertx, name, options.withLanes(Lane.SOCKET)))
            .toList();
    try (World world = new World(World.PATIENCE, withSockets)) {
      Tensor x = Tensor.ones(LARGE);
      assertThat(world.worker(2).rpcSync("worker1", Tensor::add, x, x).sum().item())
          .isEqualTo(2f * LARGE);
      assertThat(world.worker(2).debugInfo().get("lane.socket")).isEqualTo(1L);
    }
  }

  @Test
  void whoeverHasNoCertificateOfTheAuthorityCannotJoin() {
    start();
    Cluster stranger = new Cluster("127.0.0.1", port, false, JOINING);
    for (Cluster refused :
        List.of(stranger, stranger.withTrustedNetwork(true), stranger.withTls(others))) {
      assertThatThrownBy(refused::start)
          .isInstanceOf(RendezvousException.class)
          .hasMessageContaining("did not admit this worker within 3 s");
    }
    assertThat(((VertxInternal) hosts.getFirst()).clusterManager().getNodes()).hasSize(3);
  }

  @Test
  void theEventBusRequiresACertificate() throws Exception {
    start();
    var node = ((VertxInternal) hosts.getFirst()).clusterManager().getNodeInfo();
    SSLContext nobody = SSLContext.getInstance("TLSv1.3");
    nobody.init(null, TrustEveryone.MANAGERS, null);
    try (Socket plain = new Socket(node.host(), node.port());
        SSLSocket stranger =
            (SSLSocket)
                nobody.getSocketFactory().createSocket(plain, node.host(), node.port(), false)) {
      stranger.setSoTimeout((int) World.PATIENCE.toMillis());
      assertThatThrownBy(
              () -> {
                stranger.startHandshake();
                stranger.getInputStream().read(); // TLS 1.3 tells it after the handshake
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("certificate");
    }
  }
}
