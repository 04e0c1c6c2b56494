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
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class LocalUsersTest {
  private static final String OTHER_USER = "65534";
  private static final String TOOL = "/usr/bin/setpriv";
  private static final String CURL = "/usr/bin/curl";

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
  void aConnectionThatHasEndedIsNobodys() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    SocketAddress from;
    SocketAddress to;
    try (ServerSocket door = new ServerSocket(0, 1, here);
        Socket connector = new Socket(here, door.getLocalPort());
        Socket acceptor = door.accept()) {
      from = SocketAddress.inetSocketAddress(connector.getLocalPort(), here.getHostAddress());
      to = SocketAddress.inetSocketAddress(acceptor.getLocalPort(), here.getHostAddress());
      connector.shutdownOutput(); // first, so that the kernel keeps its end for a minute
    }
    assertThat(LocalUsers.mayBeOwn(from, to)).isFalse();
  }

  @Test
  void aConnectionOfAnotherMachineIsNotJudged() {
    SocketAddress far = SocketAddress.inetSocketAddress(5000, "203.0.113.1");
    assertThat(LocalUsers.mayBeOwn(far, far)).isTrue();
  }

  /// Returns what a client that another user runs receives.
  private static String asOtherUser(int port) throws Exception {
    String client =
        "exec 3<>/dev/tcp/127.0.0.1/%d; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3";
    return asOtherUser("bash", "-c", client.formatted(port));
  }

  private static String asOtherUser(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of(TOOL, "--reuid", OTHER_USER));
    all.addAll(List.of(command));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /// Returns the addresses of this machine from which others can be reached, if there is a client
  /// that can choose one.
  private static List<String> otherAddresses() throws IOException {
    return Files.exists(Path.of(CURL))
        ? NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .map(InetAddress::getHostAddress)
            .toList()
        : List.of();
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
      for (String source : otherAddresses()) {
        String url = "http://127.0.0.1:%d/".formatted(server.actualPort());
        assertThat(asOtherUser(CURL, "-s", "--interface", source, url).contains("a secret"))
            .as("from %s", source)
            .isEqualTo(isForAll);
      }
    } finally {
      vertx.close().await();
    }
  }
}
