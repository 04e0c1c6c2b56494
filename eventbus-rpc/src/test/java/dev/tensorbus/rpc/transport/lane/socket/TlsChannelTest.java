// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.rpc.transport.listen.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The two ends of an encrypted connection.
class TlsChannelTest {
  private static final int PLENTY = 300_000;

  @TempDir private static Path folder;

  private static Path worker;
  private static Path next;
  private static Certificates certificates;

  @BeforeAll
  static void certify() throws Exception {
    Authority authority = Authority.in(folder, 1);
    worker = authority.certify("worker");
    next = authority.certify("next");
    certificates = Certificates.read(worker);
  }

  /// Two ends of a connection over loopback.
  private record Ends(ByteChannel here, ByteChannel there) implements AutoCloseable {
    static Ends plain() throws IOException {
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (ServerSocketChannel server = ServerSocketChannel.open().bind(any)) {
        return new Ends(SocketChannel.open(server.getLocalAddress()), server.accept());
      }
    }

    Ends encrypt(SSLEngine connector) throws Exception {
      CompletableFuture<TlsChannel> accepted = accept(there);
      return new Ends(TlsChannel.connect(here, connector), accepted.get());
    }

    @Override
    public void close() throws IOException {
      here.close();
      there.close();
    }
  }

  private static CompletableFuture<TlsChannel> accept(ByteChannel channel) {
    return accept(Kind.BULK, channel);
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  private static <T> CompletableFuture<T> run(Work<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                done.complete(work.run());
              } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            });
    return done;
  }

  private static ByteBuffer counting(int bytes) {
    ByteBuffer all = ByteBuffer.allocateDirect(bytes);
    while (all.hasRemaining()) {
      all.put((byte) (all.position() % 251));
    }
    return all.flip();
  }

  /// Reads bytes in pieces of a size.
  private static ByteBuffer read(ByteChannel channel, int bytes, int piece) throws IOException {
    ByteBuffer all = ByteBuffer.allocateDirect(bytes);
    while (all.position() < bytes) {
      all.limit(Math.min(bytes, all.position() + piece));
      assertThat(channel.read(all)).isNotNegative();
    }
    return all.flip();
  }

  @ParameterizedTest
  @CsvSource({
    "JDK, 1000",
    "JDK, 16384",
    "JDK, 200000",
    "BULK, 1000",
    "BULK, 16640",
    "BULK, 200000"
  })
  void bothEndsSendAtTheSameTime(Kind kind, int piece) throws Exception {
    try (Ends ends = Ends.plain().encrypt(kind.engine(certificates, true))) {
      CompletableFuture<Integer> sent = run(() -> ends.there().write(counting(PLENTY)));
      CompletableFuture<ByteBuffer> read = run(() -> read(ends.there(), PLENTY, piece));
      CompletableFuture<Integer> alsoSent = run(() -> ends.here().write(counting(PLENTY)));
      assertThat(read(ends.here(), PLENTY, piece)).isEqualTo(counting(PLENTY));
      assertThat(read.get()).isEqualTo(counting(PLENTY));
      assertThat(sent.get()).isEqualTo(alsoSent.get()).isEqualTo(PLENTY);
    }
  }

  /// The JDK does so after 137 GB.
  @Test
  void keysAreUpdatedWhileOneEndOnlyReads() throws Exception {
    SSLEngine connector = certificates.engine(true);
    try (Ends ends = Ends.plain().encrypt(connector)) {
      CompletableFuture<ByteBuffer> read = run(() -> read(ends.there(), PLENTY, PLENTY));
      assertThat(ends.here().write(counting(PLENTY / 2))).isEqualTo(PLENTY / 2);
      connector.beginHandshake();
      ByteBuffer rest = counting(PLENTY).position(PLENTY / 2);
      assertThat(ends.here().write(rest)).isEqualTo(PLENTY / 2);
      assertThat(read.get()).isEqualTo(counting(PLENTY));
      assertThat(ends.there().write(counting(10))).isEqualTo(10);
      assertThat(read(ends.here(), 10, 10)).isEqualTo(counting(10));
    }
  }

  @Test
  void theEndOfTheConnectionIsTheEnd() throws Exception {
    try (Ends ends = Ends.plain().encrypt(certificates.engine(true))) {
      assertThat(ends.there().write(counting(10))).isEqualTo(10);
      assertThat(read(ends.here(), 10, 10)).isEqualTo(counting(10));
      ends.here().close();
      assertThat(ends.there().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void whoRefusesACertificateTellsTheOtherEndWhy(@TempDir Path others) throws Exception {
    Certificates stranger = Certificates.read(Authority.in(others, 1).certify("worker"));
    try (Ends ends = Ends.plain()) {
      CompletableFuture<TlsChannel> accepted = accept(ends.there());
      assertThatThrownBy(() -> TlsChannel.connect(ends.here(), stranger.engine(true)))
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(accepted::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(SSLException.class)
          .message()
          .containsIgnoringCase("alert");
    }
  }

  /// The engines that BoringSSL and the JDK have.
  enum Kind {
    JDK,
    BULK;

    SSLEngine engine(Certificates from, boolean isConnector) throws SSLException {
      return this == JDK ? from.engine(isConnector) : from.bulkEngine(isConnector);
    }
  }

  @ParameterizedTest
  @EnumSource
  void recordedBytesOpenNoSecondConnection(Kind kind) throws Exception {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    try (Ends ends = Ends.plain();
        Ends second = Ends.plain()) {
      CompletableFuture<TlsChannel> accepted = accept(kind, ends.there());
      ByteChannel recorder = new Recorder(ends.here(), record);
      TlsChannel member = TlsChannel.connect(recorder, certificates.engine(true));
      assertThat(member.write(counting(1))).isEqualTo(1);
      assertThat(read(accepted.get(), 1, 1)).isEqualTo(counting(1));

      CompletableFuture<TlsChannel> repeated = accept(kind, second.there());
      assertThat(second.here().write(ByteBuffer.wrap(record.toByteArray()))).isPositive();
      assertThatThrownBy(repeated::get).hasCauseInstanceOf(SSLException.class);
    }
  }

  private static CompletableFuture<TlsChannel> accept(Kind kind, ByteChannel channel) {
    return run(() -> TlsChannel.connect(channel, kind.engine(certificates, false)));
  }

  /// Keeps what is sent.
  private record Recorder(ByteChannel channel, ByteArrayOutputStream record)
      implements ByteChannel {
    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return channel.read(bytes);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      ByteBuffer all = bytes.duplicate();
      int count = channel.write(bytes);
      while (all.position() < bytes.position()) {
        record.write(all.get());
      }
      return count;
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void newConnectionsUseChangedFiles(Kind kind, @TempDir Path changing) throws Exception {
    for (String file : List.of("tls.crt", "tls.key", "ca.crt")) {
      Files.copy(worker.resolve(file), changing.resolve(file));
    }
    Certificates changed = Certificates.read(changing);
    assertThat(shownBy(changed, kind)).isEqualTo("CN=worker");
    Files.copy(next.resolve("tls.crt"), changing.resolve("tls.crt"), REPLACE_EXISTING);
    assertThat(shownBy(changed, kind)).as("the key is missing").isEqualTo("CN=worker");
    Files.copy(next.resolve("tls.key"), changing.resolve("tls.key"), REPLACE_EXISTING);
    World.eventually(() -> shownBy(changed, kind).equals("CN=next"));
  }

  /// Returns the name in the certificate that the other end is shown.
  private static String shownBy(Certificates changed, Kind kind) {
    try (Ends ends = Ends.plain()) {
      SSLEngine engine = kind.engine(certificates, false);
      CompletableFuture<TlsChannel> accepted = run(() -> TlsChannel.connect(ends.there(), engine));
      try (TlsChannel _ = TlsChannel.connect(ends.here(), kind.engine(changed, true));
          TlsChannel _ = accepted.get()) {
        return engine.getSession().getPeerPrincipal().getName();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
