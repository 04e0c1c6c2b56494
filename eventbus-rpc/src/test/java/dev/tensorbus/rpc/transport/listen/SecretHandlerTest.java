// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            .withTransport(GuardedTransport.of(options, node -> true, null, secret))
            .build();
    door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    vertx.close().await();
    door.close();
  }

  /// Connects as the event bus does, and sends the message.
  private Future<Void> send() {
    NetClientOptions bus =
        new NetClientOptions()
            .setEnabledSecureTransportProtocols(Set.of(GuardedTransport.EVENT_BUS));
    NetSocket connected =
        vertx.createNetClient(bus).connect(door.getLocalPort(), "127.0.0.1").await();
    return connected.write(MESSAGE);
  }

  /// Answers a hello with another one, and then with a proof by this secret. Returns what follows
  /// the proof of the other end.
  private static String answer(Socket accepted, Secret known) throws IOException {
    accepted.setSoTimeout(MILLIS);
    SecretHandshake handshake = new SecretHandshake(known, false);
    InputStream in = accepted.getInputStream();
    byte[] hello = in.readNBytes(SecretHandshake.HELLO);
    accepted.getOutputStream().write(handshake.hello());
    byte[] proof = handshake.prove(hello, accepted);
    assertThat(in.readNBytes(SecretHandshake.PROOF)).hasSize(SecretHandshake.PROOF);
    accepted.getOutputStream().write(proof);
    return new String(in.readNBytes(MESSAGE.length()), StandardCharsets.US_ASCII);
  }

  @Test
  void aProcessThatDoesNotKnowTheSecretReceivesNoMessage() throws IOException {
    Future<Void> sent = send();
    try (Socket accepted = door.accept()) {
      Secret others = Secret.of(folder.resolve("other").resolve("secret"));
      assertThat(answer(accepted, others)).isEmpty();
    }
    assertThat(sent.otherwiseEmpty().map(_ -> sent.failed()).await()).isTrue();
  }

  @Test
  void oneThatKnowsItReceivesWhatHasWaited() throws IOException {
    Future<Void> sent = send();
    try (Socket accepted = door.accept()) {
      assertThat(answer(accepted, secret)).isEqualTo(MESSAGE);
    }
    sent.await();
  }
}
