// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tensorbus.rpc.World;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class LocalUsersTest {
  private static final String OTHER_USER = "65534";
  private static final String TOOL = "/usr/bin/setpriv";

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1"})
  void aConnectionOfThisProcessIsOwn(String host) throws IOException {
    InetAddress here = InetAddress.getByName(host);
    try (ServerSocket door = new ServerSocket(0, 1, here);
        Socket connector = new Socket(here, door.getLocalPort());
        Socket acceptor = door.accept()) {
      String source = connector.getLocalAddress().getHostAddress();
      SocketAddress from = SocketAddress.inetSocketAddress(connector.getLocalPort(), source);
      SocketAddress to = SocketAddress.inetSocketAddress(acceptor.getLocalPort(), host);
      assertThat(LocalUsers.mayBeOwn(from, to)).isTrue();
      SocketAddress other = SocketAddress.inetSocketAddress(connector.getLocalPort(), "127.0.0.3");
      assertThat(LocalUsers.mayBeOwn(other, to)).as("nobody's connection").isFalse();
    }
  }

  @Test
  void aConnectionOfAnotherMachineIsNotJudged() {
    SocketAddress far = SocketAddress.inetSocketAddress(5000, "192.0.2.1");
    assertThat(LocalUsers.mayBeOwn(far, far)).isTrue();
  }

  /// Returns what a client that another user runs receives.
  private static String asOtherUser(int port) throws Exception {
    String client =
        "exec 3<>/dev/tcp/127.0.0.1/%d; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3";
    Process process =
        new ProcessBuilder(TOOL, "--reuid", OTHER_USER, "bash", "-c", client.formatted(port))
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerAdmitsOtherUsersOnlyWhenItIsForAll(boolean isForAll) throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).as("root").isEqualTo(0);
    assumeThat(Path.of(TOOL)).exists();
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          Listener.http(
              vertx,
              new HttpServerOptions().setHttp2ClearTextEnabled(false),
              new IdleConnections(vertx, World.PATIENCE, World.PATIENCE),
              isForAll,
              request -> request.response().putHeader("connection", "close").end("a secret"));
      server.listen(0, "127.0.0.1").await();
      assertThat(asOtherUser(server.actualPort()).contains("a secret")).isEqualTo(isForAll);
    } finally {
      vertx.close().await();
    }
  }
}
