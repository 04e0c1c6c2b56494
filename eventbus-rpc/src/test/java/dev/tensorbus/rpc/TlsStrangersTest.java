// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.lane.socket.Sockets;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Certificates;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Strangers at all ports of a world with certificates.
class TlsStrangersTest {
  /// A TLS alert has seven bytes.
  private static final int ALERT = 7;

  private static final String WORKER = "tensorbus/worker/server";

  /// How long a stranger may be silent on the event bus. The only member never is.
  private static final Duration SILENCE = Duration.ofSeconds(5);

  @TempDir private static Path folder;

  private static X509Bundle authority;
  private static X509Bundle present;
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
    authority = newAuthority();
    present = certificate(WORKER).buildIssuedBy(authority);
    write(present);
    host =
        World.meetingAt(FreePort.find(), true)
            .withHeartbeatTimeout(SILENCE)
            .withTls(folder)
            .start();
    sockets =
        new Sockets(
            () -> "127.0.0.1",
            PortRange.ANY,
            Certificates.read(folder),
            new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM));
  }

  private static CertificateBuilder certificate(String id) {
    return new CertificateBuilder().subject("CN=" + id).addSanUriName(URI.create("spiffe://" + id));
  }

  private static X509Bundle newAuthority() throws Exception {
    return new CertificateBuilder()
        .subject("CN=authority")
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  /// Replaces the files of the world.
  private static void write(X509Bundle worker) throws IOException {
    Files.writeString(folder.resolve(Certificates.AUTHORITY), worker.getRootCertificatePEM());
    Files.writeString(folder.resolve(Certificates.KEY), worker.getPrivateKeyPEM());
    Files.writeString(folder.resolve(Certificates.CERTIFICATE), worker.getCertificatePEM());
  }

  private static KeyManager[] keys(X509Bundle bundle) throws Exception {
    return bundle.toKeyManagerFactory().getKeyManagers();
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
  /// the connection is closed, since TLS 1.3 refuses after the handshake.
  private static int meet(Plane plane, KeyManager... keys) throws Exception {
    return meet(TlsStrangersTest::untilClosed, connect(plane), keys);
  }

  private static Socket connect(Plane plane) throws IOException {
    InetSocketAddress place = plane.address();
    return new Socket(place.getAddress(), place.getPort());
  }

  private static <T> T meet(Meeting<T> meeting, Socket socket, KeyManager... keys)
      throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(keys, TrustEveryone.MANAGERS, null);
    SSLSocketFactory factory = context.getSocketFactory();
    try (SSLSocket stranger =
        (SSLSocket) factory.createSocket(socket, "localhost", socket.getPort(), true)) {
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
    KeyManager[] keys = keys(certificate(WORKER).buildIssuedBy(newAuthority()));
    isRefused(() -> meet(plane, keys));
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredCertificateIsRefused(Plane plane) throws Exception {
    Instant yesterday = Instant.now().minus(1, ChronoUnit.DAYS);
    KeyManager[] keys = keys(certificate(WORKER).notAfter(yesterday).buildIssuedBy(authority));
    isRefused(() -> meet(plane, keys));
  }

  @ParameterizedTest
  @EnumSource
  void aCertificateForAnotherRoleIsRefused(Plane plane) throws Exception {
    KeyManager[] keys = keys(certificate("tensorbus/client/dashboard").buildIssuedBy(authority));
    isRefused(() -> meet(plane, keys));
  }

  /// Returns the number of bytes that somebody who says this in plain text is told, until the
  /// connection is closed.
  private static int say(Plane plane, String text) throws IOException {
    try (Socket stranger = connect(plane)) {
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
    String name = "tensorbus/worker/" + plane;
    write(certificate(name).buildIssuedBy(authority));
    World.eventually(() -> shownCertificate(plane).equals("CN=" + name));
  }

  private static String shownCertificate(Plane plane) {
    try {
      Meeting<String> look = stranger -> stranger.getSession().getPeerPrincipal().getName();
      return meet(look, connect(plane), keys(present));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /// The test itself: the certificate opens the door for tensors, which is closed since no token
  /// follows.
  @Test
  void aCertificateOfTheAuthorityIsAccepted() throws Exception {
    assertThat(meet(Plane.TENSORS, keys(present))).isZero();
  }
}
