// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.transport.listen.Listener;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens and accepts connections for tensors between this worker and workers on other hosts. Starts
/// listening only when needed.
///
/// If the world has certificates, connections are encrypted, and both ends must show one.
///
/// A peer that connects must first send the token of the lane that it has offered over the event
/// bus.
public final class Sockets implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Sockets.class.getName());

  private static final long MAGIC = 0x3153_7375_6265_7354L;
  private static final int HELLO = 2 * Long.BYTES;
  private static final int CONNECT_MILLIS = 10_000;

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
  private final NanoClock clock;
  private final Map<Long, Expected> expected = new ConcurrentHashMap<>();
  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);

  private @Nullable ServerSocketChannel door;
  private boolean isClosed;

  /// @param host returns the address at which other workers reach this one
  /// @param ports the ports to listen on
  /// @param certificates the certificates of this process, or null without encryption
  /// @param clock measures the timeouts of connecting peers
  public Sockets(
      Supplier<String> host,
      PortRange ports,
      @Nullable Certificates certificates,
      NanoClock clock) {
    this.host = host;
    this.ports = ports;
    this.certificates = certificates;
    this.clock = clock;
  }

  private record Expected(Consumer<Connection> taker, Deadline until) {}

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
    if (strangers.tryAcquire()) {
      Threads.system().start("tensorbus-lane-greet", () -> meet(stranger));
    } else {
      stranger.close();
    }
  }

  private void meet(SocketChannel stranger) {
    AtomicBoolean isAdmitted = new AtomicBoolean();
    CompletableFuture.delayedExecutor(HELLO_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> closeUnless(isAdmitted.get(), stranger));
    try {
      Connection connection = Connection.of(stranger, certificates, false);
      Expected guest = expected.remove(token(connection));
      if (guest != null && !guest.until().isOver()) {
        isAdmitted.set(true);
        connection.setReadTimeout(0);
        guest.taker().accept(connection);
        return;
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "a connection for tensors was closed before its token: " + e);
    } finally {
      strangers.release();
    }
    close(stranger);
  }

  private static void closeUnless(boolean isAdmitted, SocketChannel stranger) {
    if (!isAdmitted) {
      close(stranger);
    }
  }

  private long token(Connection stranger) throws IOException {
    Deadline end = Deadline.after(HELLO_LIMIT, clock);
    InputStream in = stranger.stream();
    byte[] said = new byte[HELLO];
    for (int count = 0, more; count < HELLO; count += more) {
      stranger.setReadTimeout((int) Math.max(1, end.left().toMillis()));
      more = in.read(said, count, HELLO - count);
      if (more < 0) {
        throw new EOFException("it disconnected");
      }
    }
    ByteBuffer hello = ByteBuffer.wrap(said).order(ByteOrder.LITTLE_ENDIAN);
    if (hello.getLong() != MAGIC) {
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
  public void expect(long token, Consumer<Connection> taker) {
    expected.values().removeIf(guest -> guest.until().isOver());
    expected.put(token, new Expected(taker, Deadline.after(EXPECTED, clock)));
  }

  /// Connects to a worker. The first bytes sent must be [#hello]. Blocks.
  ///
  /// @param place an address that [#address] returned on that worker
  public Connection connect(String place) throws IOException {
    int colon = place.lastIndexOf(':');
    InetSocketAddress peer =
        new InetSocketAddress(
            place.substring(0, Math.max(0, colon)),
            Integer.parseInt(place, colon + 1, place.length(), 10));
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(peer, CONNECT_MILLIS);
      return Connection.of(channel, certificates, true);
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
