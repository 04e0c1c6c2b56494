// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A connection of the event bus to a process that took the port of a worker that has died. Worlds
/// whose ends know the same secret are everywhere else in the tests.
class SecretHandlerTest {
  private static final int MILLIS = 60_000;
  private static final String MESSAGE = "a node id, and more";

  @TempDir private Path folder;

  private Secret secret;
  private Vertx vertx;
  private ServerSocket door;

  @BeforeEach
  void start() throws IOException {
    secret = Secret.of(folder.resolve("secret"));
    VertxOptions options = new VertxOptions();
    vertx =
        Vertx.builder()
            .with(options)
            .withTransport(GuardedTransport.of(options, node -> true, null, secret, World.PATIENCE))
            .build();
    door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    vertx.close().await();
    door.close();
  }

  /// Connects as the event bus does.
  private NetSocket connect() {
    NetClientOptions bus =
        new NetClientOptions()
            .setEnabledSecureTransportProtocols(Set.of(GuardedTransport.EVENT_BUS));
    return vertx.createNetClient(bus).connect(door.getLocalPort(), "127.0.0.1").await();
  }

  /// Connects, and sends the message this many times.
  private Future<?> send(int times) {
    NetSocket connected = connect();
    return Future.all(IntStream.range(0, times).mapToObj(_ -> connected.write(MESSAGE)).toList());
  }

  /// Answers a hello with another one, and then with a proof by this secret. Returns what follows
  /// the proof of the other end, up to this length.
  private static String answer(Socket accepted, Secret known, int length) throws IOException {
    accepted.setSoTimeout(MILLIS);
    SecretHandshake handshake = new SecretHandshake(known, false);
    InputStream in = accepted.getInputStream();
    byte[] hello = in.readNBytes(SecretHandshake.HELLO);
    accepted.getOutputStream().write(handshake.hello());
    byte[] proof = handshake.prove(hello, accepted);
    assertThat(in.readNBytes(SecretHandshake.PROOF)).hasSize(SecretHandshake.PROOF);
    accepted.getOutputStream().write(proof);
    return new String(in.readNBytes(length), StandardCharsets.US_ASCII);
  }

  @Test
  void aProcessThatDoesNotKnowTheSecretReceivesNoMessage() throws IOException {
    Future<?> sent = send(1);
    try (Socket accepted = door.accept()) {
      Secret others = Secret.of(folder.resolve("other").resolve("secret"));
      assertThat(answer(accepted, others, MESSAGE.length())).isEmpty();
    }
    assertThat(sent.otherwiseEmpty().map(_ -> sent.failed()).await()).isTrue();
  }

  @Test
  void aConnectionOverWhichNothingIsSentIsClosedAtOnce() throws IOException {
    NetSocket connected = connect();
    try (Socket accepted = door.accept()) {
      connected.close().await();
      accepted.setSoTimeout(MILLIS);
      assertThat(accepted.getInputStream().readAllBytes()).hasSize(SecretHandshake.HELLO);
    }
  }

  /// More of them than a channel takes at once: Vert.x keeps the rest until the channel is
  /// writable again.
  @ParameterizedTest
  @ValueSource(ints = {1, 10_000})
  void oneThatKnowsItReceivesWhatHasWaited(int messages) throws IOException {
    Future<?> sent = send(messages);
    try (Socket accepted = door.accept()) {
      String expected = MESSAGE.repeat(messages);
      assertThat(answer(accepted, secret, expected.length())).isEqualTo(expected);
    }
    sent.await();
  }
}
