// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.transport.listen.Authority;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stranger that begins TLS handshakes again and again.
class HandshakeFloodTest {
  private static final int CONNECTIONS = 800;
  private static final int AT_ONCE = 256;
  private static final int PER_SECOND = 100;

  private Vertx host;

  @BeforeEach
  void found(@TempDir Path folder) throws Exception {
    Path own = Authority.in(folder, 1).certify("worker");
    host = World.meetingAt(FreePort.find(), true).withTls(own).start();
  }

  @AfterEach
  void close() {
    host.close().await();
  }

  @Test
  void aHostGetsAnswersAtALimitedRate() throws Exception {
    byte[] hello = hello();
    isLimited(Cluster.meetingPoint(host), hello);
    var bus = ((VertxInternal) host).clusterManager().getNodeInfo();
    isLimited(new InetSocketAddress(bus.host(), bus.port()), hello);
  }

  /// Returns the first message of a handshake.
  private static byte[] hello() throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, TrustEveryone.MANAGERS, null);
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    byte[] bytes = new byte[hello.flip().remaining()];
    hello.get(bytes);
    return bytes;
  }

  private static void isLimited(InetSocketAddress place, byte[] hello) throws IOException {
    long start = System.nanoTime();
    int answers = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
      answers += isAnswered(place, hello) ? 1 : 0;
    }
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    assertThat(answers)
        .isPositive()
        .isLessThanOrEqualTo(AT_ONCE + 1 + (int) (PER_SECOND * elapsed.toMillis() / 1000));
  }

  private static boolean isAnswered(InetSocketAddress place, byte[] hello) throws IOException {
    try (Socket stranger = new Socket(place.getAddress(), place.getPort())) {
      stranger.setSoTimeout((int) World.PATIENCE.toMillis());
      stranger.getOutputStream().write(hello);
      return stranger.getInputStream().read() >= 0;
    } catch (SocketException e) {
      return false; // it was reset
    }
  }
}
