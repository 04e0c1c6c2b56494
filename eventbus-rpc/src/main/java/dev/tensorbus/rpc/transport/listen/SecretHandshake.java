// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/// The first bytes of a connection whose ends prove to each other that they know a [Secret]. Both
/// ends send a hello with a random number, and then the HMAC of both numbers, of the connection's
/// ports, of this machine and of their role, as in the challenge-response protocol of ISO/IEC
/// 9798-4. So a recorded connection cannot be repeated, a proof cannot be sent back to its sender,
/// and a process between the two ends cannot pass it on: its own connections have other ports, or
/// are on another machine, whose users may have the same home folders.
///
/// Nothing is encrypted, so the handshake protects connections on one machine only.
public final class SecretHandshake {
  /// The first bytes of a member's hello.
  public static final String MEMBER = "TBS1";

  /// The first bytes of the hello of a process that only asks who is there ([#connect]).
  private static final String VISITOR = "TBS?";

  private static final byte[] MAGIC = "TBS".getBytes(US_ASCII);
  private static final int NUMBER = 32;

  /// The length of a hello.
  public static final int HELLO = MEMBER.length() + NUMBER;

  /// The length of a proof.
  public static final int PROOF = 32;

  /// Identifies this machine and the network namespace whose loopback addresses this process uses,
  /// which are the same for both ends. Empty on operating systems without these files.
  private static final byte[] HERE = (bootId() + networkNamespace()).getBytes(UTF_8);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final byte CONNECTOR = 1;
  private static final byte ACCEPTOR = 2;

  private final Secret secret;
  private final boolean isConnector;
  private final byte[] number = new byte[NUMBER];
  private byte[] expected = new byte[0];

  /// @param isConnector whether this end has opened the connection
  public SecretHandshake(Secret secret, boolean isConnector) {
    this.secret = secret;
    this.isConnector = isConnector;
    RANDOM.nextBytes(number);
  }

  private static String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
    } catch (IOException e) {
      return "";
    }
  }

  private static String networkNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /// Returns a member's hello.
  public byte[] hello() {
    return hello(MEMBER);
  }

  private byte[] hello(String first) {
    byte[] bytes = first.getBytes(US_ASCII);
    return ByteBuffer.allocate(HELLO).put(bytes).put(number).array();
  }

  /// Returns this end's proof.
  ///
  /// @param hello the other end's hello
  /// @throws IOException if it is none
  public byte[] prove(byte[] hello, Socket socket) throws IOException {
    return prove(hello, socket.getLocalPort(), socket.getPort());
  }

  /// Returns this end's proof.
  ///
  /// @param hello the other end's hello
  /// @param own the port of this end
  /// @param other the port of the other end
  /// @throws IOException if the hello is none
  byte[] prove(byte[] hello, int own, int other) throws IOException {
    if (!Arrays.equals(hello, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("the other end does not prove that it knows a secret");
    }
    byte[] others = Arrays.copyOfRange(hello, HELLO - NUMBER, HELLO);
    byte[] message =
        ByteBuffer.allocate(2 * NUMBER + 2 * Integer.BYTES + HERE.length + 1)
            .put(isConnector ? number : others)
            .put(isConnector ? others : number)
            .putInt(isConnector ? own : other)
            .putInt(isConnector ? other : own)
            .put(HERE)
            .array();
    expected = code(message, isConnector ? ACCEPTOR : CONNECTOR);
    return code(message, isConnector ? CONNECTOR : ACCEPTOR);
  }

  private byte[] code(byte[] message, byte role) {
    message[message.length - 1] = role;
    return secret.code(message);
  }

  /// Checks the other end's proof, after [#prove].
  ///
  /// @throws StrangerException if the other end does not know the secret
  public void verify(byte[] proof) throws StrangerException {
    if (!MessageDigest.isEqual(expected, proof)) {
      throw stranger();
    }
  }

  private StrangerException stranger() {
    return new StrangerException(
        "the other end does not know the secret in %s: it belongs to another user"
            .formatted(secret.file()));
  }

  /// Asks whether a process that knows the secret is at the other end of a connection, which can be
  /// used for nothing else afterwards. Blocks until the acceptor has answered, or the socket is
  /// closed.
  ///
  /// @throws StrangerException if the acceptor does not know the secret, or refuses the proof of
  ///     this end
  /// @throws IOException if the acceptor does not answer, or not with a handshake
  public static void connect(Secret secret, Socket socket) throws IOException {
    SecretHandshake handshake = new SecretHandshake(secret, true);
    OutputStream out = socket.getOutputStream();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    out.write(handshake.hello(VISITOR));
    byte[] hello = new byte[HELLO];
    in.readFully(hello);
    out.write(handshake.prove(hello, socket));
    byte[] proof = new byte[PROOF];
    try {
      in.readFully(proof);
    } catch (EOFException | SocketException e) { // it may end before it has sent its own proof
      throw socket.isClosed() ? e : handshake.stranger();
    }
    handshake.verify(proof);
  }

  /// The other end of a connection does not know the secret.
  public static final class StrangerException extends IOException {
    private static final long serialVersionUID = 1;

    private StrangerException(String message) {
      super(message);
    }
  }
}
