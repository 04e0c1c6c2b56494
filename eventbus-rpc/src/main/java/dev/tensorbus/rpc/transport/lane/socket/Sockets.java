// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.transport.listen.HostRates;
import dev.tensorbus.rpc.transport.listen.Listener;
import dev.tensorbus.rpc.transport.listen.WaitingRoom;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens and accepts connections for tensors between this worker and workers on other hosts. Starts
/// listening only when needed.
///
/// If the world has certificates, connections are encrypted, and both ends must show one. One
/// thread may read from a connection while another one writes; each write sends all bytes.
///
/// A peer that connects must first send the token of the lane that it has offered over the event
/// bus.
public final class Sockets implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Sockets.class.getName());

  private static final long MAGIC = 0x3153_7375_6265_7354L;
  private static final int HELLO = 2 * Long.BYTES;

  /// How long a connection of this end may take, its TLS handshake included.
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /// How long a connecting peer may take to send its token.
  private static final Duration HELLO_LIMIT = Duration.ofSeconds(3);

  /// How long a token is valid.
  private static final Duration EXPECTED = Duration.ofSeconds(30);

  /// The maximum number of accepted connections that have not sent their token, and also of
  /// connections that wait to be accepted.
  private static final int MOST_STRANGERS = 64;

  /// The pause after a connection could not be accepted, for example for lack of file descriptors.
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Supplier<String> host;
  private final PortRange ports;
  private final @Nullable Certificates certificates;
  private final IdleStrategies strategies;
  private final Map<Long, Expected> expected = new ConcurrentHashMap<>();
  private final WaitingRoom<SocketChannel> strangers =
      new WaitingRoom<>(MOST_STRANGERS, Sockets::close);
  private final HostRates rates = HostRates.ofStrangers();

  private @Nullable ServerSocketChannel door;
  private boolean isClosed;

  /// @param host returns the address at which other workers reach this one
  /// @param ports the ports to listen on
  /// @param certificates the certificates of this process, or null without encryption
  /// @param strategies how connections are read
  public Sockets(
      Supplier<String> host,
      PortRange ports,
      @Nullable Certificates certificates,
      IdleStrategies strategies) {
    this.host = host;
    this.ports = ports;
    this.certificates = certificates;
    this.strategies = strategies;
  }

  private record Expected(Consumer<ByteChannel> taker, Deadline until) {}

  /// Returns the address that peers pass to [#connect]. Starts listening on the first call.
  ///
  /// @throws BindException if all ports are taken
  public synchronized String address() throws IOException {
    if (isClosed) {
      throw new IOException("the worker has left");
    }
    String here = host.get();
    if (door == null) {
      ServerSocketChannel opened = open(InetAddress.getByName(here));
      door = opened;
      Threads.system().start("tensorbus-lane-door", () -> listen(opened));
    }
    return here + ":" + door.socket().getLocalPort();
  }

  private ServerSocketChannel open(InetAddress here) throws IOException {
    try {
      return Listener.open(here, MOST_STRANGERS, ports.candidates());
    } catch (BindException e) {
      throw new BindException("all ports of " + ports + " are taken at " + here.getHostAddress());
    }
  }

  private void listen(ServerSocketChannel opened) {
    while (opened.isOpen()) {
      try {
        greet(opened.accept());
      } catch (IOException e) {
        LOG.log(Level.DEBUG, () -> "cannot accept connections for tensors at present: " + e);
        LockSupport.parkNanos(REST_NANOS);
      }
    }
  }

  private void greet(SocketChannel stranger) throws IOException {
    if (certificates == null || rates.admit(stranger.getRemoteAddress())) {
      strangers.enter(stranger);
      Threads.system().start("tensorbus-lane-greet", () -> meet(stranger));
    } else {
      stranger.close();
    }
  }

  private void meet(SocketChannel stranger) {
    AtomicBoolean isAdmitted = new AtomicBoolean();
    limit(HELLO_LIMIT, isAdmitted, stranger);
    try {
      ByteChannel connection = open(stranger, false);
      if (!admit(stranger, connection, isAdmitted)) {
        close(connection); // which frees what encrypts it, too
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "a connection for tensors was closed before its token: " + e);
      close(stranger);
    } finally {
      strangers.leave(stranger);
    }
  }

  /// Hands a connection to whoever expects its token. Returns whether somebody does.
  private boolean admit(SocketChannel stranger, ByteChannel connection, AtomicBoolean isAdmitted) {
    try {
      Expected guest = expected.remove(token(connection));
      if (guest == null || guest.until().isOver()) {
        return false;
      }
      isAdmitted.set(true);
      strangers.leave(stranger); // before others may need its place
      guest.taker().accept(connection);
      return true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "a connection for tensors was closed before its token: " + e);
      return false;
    }
  }

  /// Closes a connection that is not ready in time, which also ends a read or a handshake.
  private static void limit(Duration limit, AtomicBoolean isReady, SocketChannel connection) {
    CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              if (!isReady.get()) {
                close(connection);
              }
            });
  }

  /// Returns a channel to the other end of a connection, after a TLS handshake if there are
  /// certificates. Blocks.
  ///
  /// @param isConnector whether this end has opened the connection
  private ByteChannel open(SocketChannel connection, boolean isConnector) throws IOException {
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    connection.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    ByteChannel channel = strategies.channelOf(connection);
    return certificates == null
        ? channel
        : TlsChannel.connect(channel, certificates.bulkEngine(isConnector));
  }

  private static long token(ByteChannel stranger) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(HELLO).order(ByteOrder.LITTLE_ENDIAN);
    while (hello.hasRemaining()) {
      if (stranger.read(hello) < 0) {
        throw new EOFException("it disconnected");
      }
    }
    if (hello.flip().getLong() != MAGIC) {
      throw new IOException("it sent something other than a token");
    }
    return hello.getLong();
  }

  private static void close(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot close a connection", e);
    }
  }

  /// Accepts one connection that sends this token within the next 30 seconds.
  ///
  /// @param taker receives the connection, from which only the token has been read
  public void expect(long token, Consumer<ByteChannel> taker) {
    expected.values().removeIf(guest -> guest.until().isOver());
    expected.put(token, new Expected(taker, Deadline.after(EXPECTED, strategies.clock())));
  }

  /// Connects to a worker. The first bytes sent must be [#hello]. Blocks.
  ///
  /// @param place an address that [#address] returned on that worker
  public ByteChannel connect(String place) throws IOException {
    int colon = place.lastIndexOf(':');
    InetSocketAddress peer =
        new InetSocketAddress(
            place.substring(0, Math.max(0, colon)),
            Integer.parseInt(place, colon + 1, place.length(), 10));
    SocketChannel channel = SocketChannel.open();
    AtomicBoolean isConnected = new AtomicBoolean();
    limit(CONNECT, isConnected, channel);
    try {
      channel.connect(peer);
      ByteChannel connection = open(channel, true);
      isConnected.set(true);
      return connection;
    } catch (IOException | RuntimeException e) {
      close(channel);
      throw e;
    }
  }

  public static ByteBuffer hello(long token) {
    return ByteBuffer.allocate(HELLO)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(MAGIC)
        .putLong(token)
        .flip();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    expected.clear();
    if (door != null) {
      close(door);
    }
  }
}
