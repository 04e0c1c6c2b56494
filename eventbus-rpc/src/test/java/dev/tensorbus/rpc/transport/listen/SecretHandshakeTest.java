// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.transport.listen.SecretHandshake.StrangerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretHandshakeTest {
  @TempDir private Path folder;

  private Secret secret;
  private ServerSocket server;
  private Socket connector;
  private Socket acceptor;

  @BeforeEach
  void connect() throws IOException {
    secret = Secret.of(folder.resolve("mine").resolve("secret"));
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    connector = new Socket(server.getInetAddress(), server.getLocalPort());
    acceptor = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    connector.close();
    acceptor.close();
    server.close();
  }

  @Test
  void bothEndsRecognizeEachOther() throws IOException {
    var first = new SecretHandshake(secret, true);
    var second = new SecretHandshake(secret, false);
    byte[] firsts = first.prove(second.hello(), connector);
    byte[] seconds = second.prove(first.hello(), acceptor);
    assertThatCode(() -> first.verify(seconds)).doesNotThrowAnyException();
    assertThatCode(() -> second.verify(firsts)).doesNotThrowAnyException();
  }

  @Test
  void whoKnowsAnotherSecretIsAStrangerToBothEnds() throws IOException {
    Secret others = Secret.of(folder.resolve("other").resolve("secret"));
    var first = new SecretHandshake(others, true);
    var second = new SecretHandshake(secret, false);
    byte[] firsts = first.prove(second.hello(), connector);
    byte[] seconds = second.prove(first.hello(), acceptor);
    assertThatThrownBy(() -> first.verify(seconds)).isInstanceOf(StrangerException.class);
    assertThatThrownBy(() -> second.verify(firsts))
        .isInstanceOf(StrangerException.class)
        .hasMessage(
            "the other end does not know the secret in %s: it belongs to another user",
            folder.resolve("mine").resolve("secret"));
  }

  @Test
  void eachBitOfAProofCounts() throws IOException {
    var first = new SecretHandshake(secret, true);
    var second = new SecretHandshake(secret, false);
    byte[] proof = first.prove(second.hello(), connector);
    second.prove(first.hello(), acceptor);
    for (int bit = 0; bit < Byte.SIZE * proof.length; bit++) {
      byte[] changed = proof.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> second.verify(changed)).isInstanceOf(StrangerException.class);
    }
  }

  @Test
  void aRecordedConnectionCannotBeRepeated() throws IOException {
    var first = new SecretHandshake(secret, true);
    byte[] hello = first.hello();
    byte[] proof = first.prove(new SecretHandshake(secret, false).hello(), connector);
    var later = new SecretHandshake(secret, false);
    later.prove(hello, acceptor);
    assertThatThrownBy(() -> later.verify(proof)).isInstanceOf(StrangerException.class);
  }

  @Test
  void aProofCannotBeSentBack() throws IOException {
    var second = new SecretHandshake(secret, false);
    byte[] own = second.prove(second.hello(), acceptor);
    assertThatThrownBy(() -> second.verify(own)).isInstanceOf(StrangerException.class);
  }

  /// A process between the two ends accepts the one and connects to the other.
  @Test
  void aProofOfAnotherConnectionIsNone() throws IOException {
    try (Socket _ = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      var first = new SecretHandshake(secret, true);
      var second = new SecretHandshake(secret, false);
      byte[] firsts = first.prove(second.hello(), connector);
      byte[] seconds = second.prove(first.hello(), accepted);
      assertThatThrownBy(() -> first.verify(seconds)).isInstanceOf(StrangerException.class);
      assertThatThrownBy(() -> second.verify(firsts)).isInstanceOf(StrangerException.class);
    }
  }

  @Test
  void whatIsNoHelloIsNotAnswered() {
    assertThatThrownBy(
            () ->
                new SecretHandshake(secret, false).prove(new byte[SecretHandshake.HELLO], acceptor))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(StrangerException.class)
        .hasMessage("the other end does not prove that it knows a secret");
  }
}
