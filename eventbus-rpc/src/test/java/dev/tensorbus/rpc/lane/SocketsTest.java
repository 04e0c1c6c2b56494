// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.World;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Who is let in.
class SocketsTest {
  private final Sockets sockets = new Sockets(() -> "127.0.0.1");
  private final String place = sockets.address().await();
  private final AtomicInteger guests = new AtomicInteger();

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

  private void sayHello(long token) {
    sockets.connect(place).await().write(Sockets.hello(token));
  }

  private static void requireEnd(Socket socket) throws IOException {
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
    socket.close();
  }

  @Test
  void aTokenLetsInOnce() {
    sockets.expect(5, socket -> guests.incrementAndGet());
    sayHello(5);
    World.eventually(() -> guests.get() == 1);
    sayHello(5);
    sayHello(6);
    sockets.expect(7, socket -> guests.incrementAndGet());
    sayHello(7);
    World.eventually(() -> guests.get() == 2);
  }

  @Test
  void whoSaysSomethingElseIsCutOff() throws IOException {
    sockets.expect(5, socket -> guests.incrementAndGet());
    try (Socket socket = stranger()) {
      OutputStream out = socket.getOutputStream();
      out.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
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
    sockets.expect(5, socket -> guests.incrementAndGet());
    sayHello(5);
    World.eventually(() -> guests.get() == 1);
  }

  @Test
  void whatIsNoPlaceIsRefused() {
    assertThatThrownBy(() -> sockets.connect("nowhere"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> sockets.connect("127.0.0.1:1").await())
        .isInstanceOf(IOException.class);
  }
}
