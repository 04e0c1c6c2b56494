// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.NodeInfo;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G8: a stranger on the event bus's port is heard by nobody, holds little and is soon cut off.
@Tag("long")
class EventBusPortIT {
  /// More than the kernel's buffers hold for a reader that has stopped to read.
  private static final long MUCH = 64L << 20;

  private static final int MOST = SecretHandshake.HELLO + SecretHandshake.PROOF;

  private static List<Vertx> hosts;
  private static World world;

  @BeforeAll
  static void openWorld() {
    hosts = World.cluster(2);
    world = new World(hosts);
  }

  @AfterAll
  static void closeWorld() {
    world.close();
    hosts.forEach(vertx -> vertx.close().await());
  }

  private static Socket connect() throws IOException {
    NodeInfo there = ((VertxInternal) hosts.getFirst()).clusterManager().getNodeInfo();
    Socket stranger = new Socket(there.host(), there.port());
    stranger.setSoTimeout((int) World.PATIENCE.toMillis());
    return stranger;
  }

  /// Whether the other end has closed the connection, or does within [World#PATIENCE], and has sent
  /// nothing but the beginning of a handshake.
  private static boolean isCutOff(Socket stranger) throws IOException {
    try {
      return stranger.getInputStream().readNBytes(MOST + 1).length <= MOST;
    } catch (java.net.SocketException e) {
      return true; // it was closed before all that was sent had been read
    }
  }

  private static void requireCallsAreAnswered() {
    assertThat(world.worker(1).rpcSync("worker0", Probe::where)).isEqualTo("worker0 for worker1");
  }

  /// The beginning of a message of Vert.x's event bus.
  private static void begin(DataOutputStream out, int length, String sender) throws IOException {
    out.writeInt(length);
    out.write(new byte[] {2, 12, 0}); // version, a codec of Vert.x's own, to one consumer
    text(out, "tensorbus.worker.worker0.1");
    out.writeInt(0); // no reply
    text(out, sender);
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /// Sends until the other end reads no more.
  private static long send(DataOutputStream out) {
    byte[] chunk = new byte[1 << 16];
    long sent = 0;
    try {
      for (; sent < MUCH; sent += chunk.length) {
        out.write(chunk);
      }
    } catch (IOException e) {
      return sent; // it was cut off
    }
    return sent;
  }

  @Test
  void aLengthOfTwoGigabytesIsNotBelieved() throws IOException {
    try (Socket stranger = connect()) {
      DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
      begin(out, Integer.MAX_VALUE, UUID.randomUUID().toString());
      assertThat(send(out)).isLessThan(MUCH);
      requireCallsAreAnswered();
      assertThat(isCutOff(stranger)).isTrue();
    }
  }

  @Test
  void whoDoesNotSpeakAsTheEventBusDoesIsCutOffAtOnce() throws IOException {
    try (Socket stranger = connect()) {
      stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".repeat(10).getBytes());
      assertThat(isCutOff(stranger)).isTrue();
    }
  }

  /// The others are cut off later ([TlsStrangersTest]).
  @Test
  void ofThoseWhoSayNothingTheLongestWaitingAreCutOffAndNobodyIsKeptOut() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int count = 0; count < 1000; count++) {
        silent.add(connect());
      }
      requireCallsAreAnswered();
      for (Socket stranger : silent.subList(0, silent.size() - WaitingRoom.SEATS)) {
        assertThat(isCutOff(stranger)).isTrue();
      }
    } finally {
      for (Socket stranger : silent) {
        stranger.close();
      }
    }
  }
}
