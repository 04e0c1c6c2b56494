// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.rpc.transport.listen.Certificates;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Strangers at all ports of a world with certificates.
class TlsStrangersTest {
  private static final char[] PASSWORD = "tensorbus".toCharArray();

  /// A TLS alert has seven bytes.
  private static final int ALERT = 7;

  @TempDir private static Path folder;

  private static Path own;
  private static Vertx host;
  private static Sockets sockets;

  /// A listening port.
  enum Plane {
    CLUSTER_NODE,
    EVENT_BUS,
    TENSORS;

    InetSocketAddress address() throws IOException {
      return switch (this) {
        case CLUSTER_NODE -> Cluster.meetingPoint(host);
        case EVENT_BUS -> {
          var node = ((VertxInternal) host).clusterManager().getNodeInfo();
          yield new InetSocketAddress(node.host(), node.port());
        }
        case TENSORS -> Addresses.parse(sockets.address());
      };
    }
  }

  @BeforeAll
  static void found() throws Exception {
    Authority authority = Authority.in(folder.resolve("own"), 1);
    own = authority.certify("worker");
    Authority _ = Authority.in(folder.resolve("others"), 1);
    certify("own", "expired", "-startdate", "-2d", "-validity", "1");
    certify("own", "present", "-validity", "1");
    certify("others", "other", "-validity", "1");
    host = World.meetingAt(FreePort.find(), true).withTls(own).start();
    sockets =
        new Sockets(
            () -> "127.0.0.1",
            PortRange.ANY,
            Certificates.read(own),
            new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM));
  }

  /// Adds a key with a certificate to the file of an authority.
  private static void certify(String authority, String name, String... validity) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", name, "-dname", "CN=" + name));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-signer", "authority"));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
    command.addAll(List.of("-keystore", keys(authority).toString()));
    command.addAll(List.of(validity));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private static Path keys(String authority) {
    return folder.resolve(authority).resolve("authority.p12");
  }

  @AfterAll
  static void close() {
    sockets.close();
    host.close().await();
  }

  private interface Meeting<T> {
    T with(SSLSocket stranger) throws IOException;
  }

  /// Returns the outcome of a handshake of somebody who trusts everyone: the number of bytes until
  /// the connection is closed.
  private static int meet(Plane plane, KeyManager... keys) throws Exception {
    return meet(TlsStrangersTest::untilClosed, plane, keys); // TLS 1.3 refuses after the handshake
  }

  private static <T> T meet(Meeting<T> meeting, Plane plane, KeyManager... keys) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys, TrustEveryone.MANAGERS, null);
    InetSocketAddress place = plane.address();
    try (Socket socket = new Socket(place.getAddress(), place.getPort());
        SSLSocket stranger =
            (SSLSocket)
                context
                    .getSocketFactory()
                    .createSocket(socket, place.getHostString(), place.getPort(), false)) {
      stranger.setSoTimeout((int) World.PATIENCE.toMillis());
      stranger.startHandshake();
      return meeting.with(stranger);
    }
  }

  private static int untilClosed(Socket socket) throws IOException {
    int count = 0;
    while (socket.getInputStream().read() >= 0) {
      count++;
    }
    return count;
  }

  private static KeyManager[] keys(String authority, String name) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys(authority))) {
      store.load(in, PASSWORD);
    }
    for (String alias : List.of("authority", "expired", "present", "other")) {
      if (!alias.equals(name)) {
        store.deleteEntry(alias);
      }
    }
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, PASSWORD);
    return factory.getKeyManagers();
  }

  private static void isRefused(ThrowingCallable meeting) {
    assertThatThrownBy(meeting)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  @ParameterizedTest
  @EnumSource
  void whoeverHasNoCertificateIsRefused(Plane plane) {
    isRefused(() -> meet(plane));
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateOfAnotherAuthorityIsRefused(Plane plane) throws Exception {
    KeyManager[] keys = keys("others", "other");
    isRefused(() -> meet(plane, keys));
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredCertificateIsRefused(Plane plane) throws Exception {
    KeyManager[] keys = keys("own", "expired");
    isRefused(() -> meet(plane, keys));
  }

  /// Returns the number of bytes that somebody who says this in plain text is told, until the
  /// connection is closed.
  private static int say(Plane plane, String text) throws IOException {
    InetSocketAddress place = plane.address();
    try (Socket stranger = new Socket(place.getAddress(), place.getPort())) {
      stranger.setSoTimeout((int) World.PATIENCE.toMillis());
      stranger.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return untilClosed(stranger);
    } catch (SocketException e) {
      return 0; // it was reset
    }
  }

  @ParameterizedTest
  @EnumSource
  void plainTextIsToldNothing(Plane plane) throws IOException {
    assertThat(say(plane, "GET / HTTP/1.1\r\n\r\n".repeat(10))).isLessThanOrEqualTo(ALERT);
  }

  @ParameterizedTest
  @EnumSource
  void whoeverSaysNothingIsCutOff(Plane plane) throws IOException {
    assertThat(say(plane, "")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void newConnectionsAreShownTheChangedCertificate(Plane plane) throws Exception {
    String name = plane.name().toLowerCase(Locale.ROOT).replace('_', '-');
    Path next = Authority.in(folder.resolve("own"), 1).certify(name);
    for (String file : List.of(Certificates.KEY, Certificates.CERTIFICATE)) {
      Files.copy(next.resolve(file), own.resolve(file), REPLACE_EXISTING);
    }
    KeyManager[] keys = keys("own", "present");
    World.eventually(() -> shownCertificate(plane, keys).equals("CN=" + name));
  }

  private static String shownCertificate(Plane plane, KeyManager[] keys) {
    try {
      return meet(stranger -> stranger.getSession().getPeerPrincipal().getName(), plane, keys);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /// The test itself: the certificate opens the door for tensors, which is closed since no token
  /// follows.
  @Test
  void aCertificateOfTheAuthorityIsAccepted() throws Exception {
    assertThat(meet(Plane.TENSORS, keys("own", "present"))).isZero();
  }
}
