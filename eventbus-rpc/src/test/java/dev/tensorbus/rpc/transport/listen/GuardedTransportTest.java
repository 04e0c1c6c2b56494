// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.World;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/// The sockets of a Vertx with a guarded transport. Other tests open sockets, too.
@Isolated
class GuardedTransportTest {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int MILLIS = 60_000;

  private final VertxOptions options = new VertxOptions();
  private Vertx vertx = Vertx.vertx();

  private void start() {
    vertx =
        Vertx.builder()
            .with(options)
            .withTransport(GuardedTransport.of(options, node -> true, null, null, World.PATIENCE))
            .build();
    NetServer bus = vertx.createNetServer().connectHandler(socket -> {});
    bus.listen(0, LOOPBACK).await();
    vertx.createNetClient().connect(bus.actualPort(), LOOPBACK).await();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /// Inodes of the datagram sockets of this process.
  private static Set<String> datagramSockets() throws IOException {
    Set<String> own = new TreeSet<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (Files.isSymbolicLink(descriptor)) {
          own.add(Files.readSymbolicLink(descriptor).toString());
        }
      }
    }
    Set<String> datagrams = new TreeSet<>();
    for (String file : List.of("udp", "udp6")) {
      Files.readAllLines(Path.of("/proc/self/net", file)).stream()
          .skip(1)
          .map(line -> line.strip().split("\\s+")[9])
          .filter(inode -> own.contains("socket:[" + inode + "]"))
          .forEach(datagrams::add);
    }
    return datagrams;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aConnectionToALiteralAddressOpensNoSocketForNames() throws Exception {
    Set<String> before = datagramSockets();
    start();
    assertThat(datagramSockets()).isEqualTo(before);
  }

  @Test
  void namesAreStillLookedUp() throws Exception {
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.getByName(LOOPBACK))) {
      server.setSoTimeout(MILLIS);
      options.setAddressResolverOptions(
          new AddressResolverOptions().addServer(LOOPBACK + ":" + server.getLocalPort()));
      start();
      var address = ((VertxInternal) vertx).nameResolver().resolve("worker.example");
      DatagramPacket question = new DatagramPacket(new byte[512], 512);
      server.receive(question);
      byte[] answer = new byte[question.getLength() + 16];
      System.arraycopy(question.getData(), 0, answer, 0, 12);
      int end = 12;
      while (question.getData()[end] != 0) {
        end++;
      }
      end += 5; // and the type and class of the question
      System.arraycopy(question.getData(), 12, answer, 12, end - 12);
      answer[2] = (byte) 0x81; // an answer
      answer[3] = (byte) 0x80;
      answer[7] = 1; // of one record
      answer[11] = 0; // and nothing else
      byte[] record = {(byte) 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 2, 3};
      System.arraycopy(record, 0, answer, end, record.length);
      server.send(new DatagramPacket(answer, end + record.length, question.getSocketAddress()));
      assertThat(address.await().getHostAddress()).isEqualTo("10.1.2.3");
    }
  }

  @Test
  void silentConnectionsToAnHttpServerTakeTheSeatsOfEachOtherOnly() throws Exception {
    start();
    HttpServer server = vertx.createHttpServer().requestHandler(r -> r.response().end("here"));
    server.listen(0, LOOPBACK).await();
    List<Socket> silent = new ArrayList<>();
    try (Socket served = new Socket(LOOPBACK, server.actualPort())) {
      assertThat(ask(served)).startsWith("HTTP/1.1 200");
      for (int i = 0; i <= GuardedTransport.UnansweredConnection.SEATS; i++) {
        silent.add(new Socket(LOOPBACK, server.actualPort()));
      }
      silent.getFirst().setSoTimeout(MILLIS);
      assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
      assertThat(ask(silent.getLast())).startsWith("HTTP/1.1 200");
      assertThat(ask(served)).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private static String ask(Socket socket) throws IOException {
    socket.setSoTimeout(MILLIS);
    byte[] request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    socket.getOutputStream().write(request);
    byte[] answer = new byte[256];
    int length = 0;
    while (!new String(answer, 0, length, StandardCharsets.US_ASCII).endsWith("here")) {
      int read = socket.getInputStream().read(answer, length, answer.length - length);
      assertThat(read).isPositive();
      length += read;
    }
    return new String(answer, 0, length, StandardCharsets.US_ASCII);
  }

  @Test
  void aHostThatOpensTooManyConnectionsIsRefused() {
    HostRates rates = new HostRates(1, 2, () -> 0);
    EmbeddedChannel server = new EmbeddedChannel(new GuardedTransport.Turnstile(rates));
    EmbeddedChannel first = new Connection();
    EmbeddedChannel second = new Connection();
    EmbeddedChannel third = new Connection();
    server.writeInbound(first, second, third);
    assertThat(server.inboundMessages()).containsExactly(first, second);
    assertThat(third.isOpen()).isFalse();
  }

  /// A connection of one host.
  private static final class Connection extends EmbeddedChannel {
    @Override
    protected SocketAddress remoteAddress0() {
      return new InetSocketAddress(LOOPBACK, 1);
    }
  }
}
