// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Secret;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other users of the machine at the port of a world that listens on a loopback address.
class StrangersTest {
  private static final Duration JOINING = Duration.ofSeconds(2);
  private static final int CONNECTIONS = 400;

  @TempDir private Path folder;

  private Vertx host;
  private InetSocketAddress place;

  @BeforeEach
  void found() {
    host = World.meetingAt(FreePort.find(), true).start();
    place = Cluster.meetingPoint(host);
  }

  @AfterEach
  void close() {
    host.close().await();
  }

  private int members() {
    return ((VertxInternal) host).clusterManager().getNodes().size();
  }

  private MemberGate othersGate() throws IOException {
    return new MemberGate.Shared(Secret.of(folder.resolve("secret")));
  }

  @Test
  void aMemberOfAnotherUserCannotJoin() throws IOException {
    cannotJoin(othersGate());
    assertThatThrownBy(() -> MeetingPoint.requireNoStranger(othersGate(), place))
        .isInstanceOf(SecretHandshake.StrangerException.class);
  }

  @Test
  void aMemberThatProvesNothingCannotJoin() {
    cannotJoin(new MemberGate.Open());
  }

  private void cannotJoin(MemberGate gate) {
    Config config = MemberConfig.of(World.SILENCE);
    MemberManager.limitJoin(config, JOINING);
    new MemberNetwork("127.0.0.1", 0, 1, null, Addresses.text(place)).configure(config);
    assertThatThrownBy(() -> MemberManager.create(config, gate))
        .isInstanceOf(IllegalStateException.class);
    assertThat(members()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HZC", "CB2", "GET / HTTP/1.1\r\n\r\n", "TBS1", "TBS?"})
  void whoeverSendsSomethingElseIsToldNothing(String first) throws IOException {
    try (Socket stranger = new Socket(place.getAddress(), place.getPort())) {
      stranger.setSoTimeout((int) World.PATIENCE.toMillis());
      byte[] bytes = new byte[SecretHandshake.HELLO + SecretHandshake.PROOF];
      new Random(1).nextBytes(bytes);
      byte[] start = first.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(start, 0, bytes, 0, start.length);
      stranger.getOutputStream().write(bytes);
      assertThat(answer(stranger)).as("hello and proof").isLessThanOrEqualTo(bytes.length);
    }
  }

  /// Returns the number of bytes until the connection is closed.
  private static int answer(Socket stranger) throws IOException {
    int count = 0;
    try {
      while (stranger.getInputStream().read() >= 0) {
        count++;
      }
    } catch (SocketException e) {
      return count; // it was reset
    }
    return count;
  }

  @Test
  void silentConnectionsKeepNobodyOut() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        silent.add(new Socket(place.getAddress(), place.getPort()));
      }
      Vertx joined = World.meetingAt(place.getPort(), false).start();
      assertThat(members()).isEqualTo(2);
      joined.close().await();
      for (Socket stranger : silent) {
        stranger.setSoTimeout((int) World.PATIENCE.toMillis());
        assertThat(answer(stranger)).isLessThanOrEqualTo(SecretHandshake.HELLO);
      }
    } finally {
      for (Socket stranger : silent) {
        stranger.close();
      }
    }
  }
}
