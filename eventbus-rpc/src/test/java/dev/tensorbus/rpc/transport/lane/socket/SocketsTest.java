// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections are let in, or not.
class SocketsTest {
  private final Sockets sockets =
      new Sockets(
          () -> "127.0.0.1",
          PortRange.ANY,
          null,
          new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM));
  private final String place;
  private final AtomicInteger guests = new AtomicInteger();

  SocketsTest() throws IOException {
    place = sockets.address();
  }

  @AfterEach
  void close() {
    sockets.close();
  }

  private Socket stranger() throws IOException {
    int port = Integer.parseInt(place.substring(place.indexOf(':') + 1));
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void requireEnd(Socket socket) throws IOException {
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
    socket.close();
  }

  private static void requireEnd(ByteChannel connection) throws IOException {
    assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    connection.close();
  }

  private ByteChannel guest(long token) throws IOException {
    ByteChannel guest = sockets.connect(place);
    assertThat(guest.write(Sockets.hello(token))).isPositive();
    return guest;
  }

  @Test
  void aTokenLetsInOnce() throws IOException {
    sockets.expect(5, channel -> guests.incrementAndGet());
    try (ByteChannel _ = guest(5)) {
      World.eventually(() -> guests.get() == 1);
      requireEnd(guest(5));
      requireEnd(guest(6));
    }
    assertThat(guests).hasValue(1);
  }

  @Test
  void whoSaysSomethingElseIsCutOff() throws IOException {
    sockets.expect(5, channel -> guests.incrementAndGet());
    try (Socket socket = stranger()) {
      OutputStream out = socket.getOutputStream();
      out.write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
      requireEnd(socket);
    }
    assertThat(guests).hasValue(0);
  }

  @Test
  void whoSaysNothingIsCutOffAndFewMayWait() throws IOException {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      silent.add(stranger());
    }
    requireEnd(stranger());
    for (Socket socket : silent) {
      requireEnd(socket);
    }
    sockets.expect(5, channel -> guests.incrementAndGet());
    try (ByteChannel _ = guest(5)) {
      World.eventually(() -> guests.get() == 1);
    }
  }

  @Test
  void whatIsNoPlaceIsRefused() {
    assertThatThrownBy(() -> sockets.connect("nowhere"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sockets.connect("127.0.0.1:1")).isInstanceOf(IOException.class);
  }
}
