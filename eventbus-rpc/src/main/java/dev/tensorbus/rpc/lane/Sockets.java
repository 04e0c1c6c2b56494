// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Connections for tensors between this worker and those of other hosts, on an event loop of
/// their own: what is copied there holds no call up. Nothing is started before it is needed.
///
/// Whoever connects says the token that it was given over the event bus, and nothing else.
final class Sockets implements AutoCloseable {
  private static final long MAGIC = 0x3153_7375_6265_7354L;
  private static final int HELLO = 2 * Long.BYTES;

  private static final int CONNECT_MILLIS = 10_000;

  /// Time to say hello.
  private static final int HELLO_MILLIS = 3000;

  /// How long a token counts.
  private static final long EXPECTED_MILLIS = TimeUnit.SECONDS.toMillis(30);

  /// Connections that may be open without having said hello.
  private static final int MOST_STRANGERS = 64;

  private final Supplier<String> host;
  private final Map<Long, Consumer<NetSocket>> expected = new ConcurrentHashMap<>();
  private final AtomicInteger strangers = new AtomicInteger();

  private @Nullable Vertx vertx;
  private @Nullable NetClient client;
  private @Nullable Future<String> address;
  private boolean isClosed;

  /// @param host where other workers reach this one
  Sockets(Supplier<String> host) {
    this.host = host;
  }

  private synchronized Vertx vertx() {
    if (isClosed) {
      throw new IllegalStateException("the worker has left");
    }
    if (vertx == null) {
      FileSystemOptions noFiles =
          new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
      vertx =
          Vertx.vertx(
              new VertxOptions()
                  .setEventLoopPoolSize(1)
                  .setPreferNativeTransport(true)
                  .setUseDaemonThread(true)
                  .setFileSystemOptions(noFiles));
    }
    return vertx;
  }

  /// Where this worker can be connected to, as [#connect] takes it. Begins to listen.
  synchronized Future<String> address() {
    if (address == null || address.failed()) {
      Vertx loop = vertx();
      String here = host.get();
      address =
          loop.createNetServer(new NetServerOptions().setTcpNoDelay(true).setTcpKeepAlive(true))
              .connectHandler(socket -> greet(loop, socket))
              .listen(0, here)
              .map(server -> here + ":" + server.actualPort());
    }
    return address;
  }

  /// Lets whoever says this token in, once and soon.
  ///
  /// @param taker is given the connection, before anything is read from it, on its event loop
  void expect(long token, Consumer<NetSocket> taker) {
    expected.put(token, taker);
    vertx().setTimer(EXPECTED_MILLIS, late -> expected.remove(token, taker));
  }

  private void greet(Vertx loop, NetSocket socket) {
    if (strangers.incrementAndGet() > MOST_STRANGERS) {
      strangers.decrementAndGet();
      socket.close();
      return;
    }
    Stranger stranger = new Stranger(loop, socket);
    socket.handler(stranger::hear).closeHandler(gone -> stranger.leave());
  }

  /// What lets whoever has [connected][#connect] in.
  static Buffer hello(long token) {
    return Buffer.buffer(HELLO).appendLongLE(MAGIC).appendLongLE(token);
  }

  /// Connects to a worker, to say [#hello] there.
  ///
  /// @param place what its [#address] gave
  Future<NetSocket> connect(String place) {
    int colon = place.lastIndexOf(':');
    SocketAddress peer =
        SocketAddress.inetSocketAddress(
            Integer.parseInt(place, colon + 1, place.length(), 10),
            place.substring(0, Math.max(0, colon)));
    return client().connect(peer);
  }

  private synchronized NetClient client() {
    if (client == null) {
      client =
          vertx()
              .createNetClient(
                  new NetClientOptions()
                      .setConnectTimeout(CONNECT_MILLIS)
                      .setTcpNoDelay(true)
                      .setTcpKeepAlive(true));
    }
    return client;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    expected.clear();
    if (vertx != null) {
      vertx.close();
    }
  }

  /// A connection that has not said hello.
  private final class Stranger {
    private final Vertx loop;
    private final NetSocket socket;
    private final Buffer said = Buffer.buffer(HELLO);
    private final long timer;
    private boolean isStrange = true;

    private Stranger(Vertx loop, NetSocket socket) {
      this.loop = loop;
      this.socket = socket;
      timer = loop.setTimer(HELLO_MILLIS, late -> socket.close());
    }

    private void hear(Buffer bytes) {
      said.appendBuffer(bytes);
      if (said.length() < HELLO) {
        return;
      }
      Consumer<NetSocket> taker =
          said.length() == HELLO && said.getLongLE(0) == MAGIC
              ? expected.remove(said.getLongLE(Long.BYTES))
              : null;
      leave();
      if (taker == null) {
        socket.close();
      } else {
        taker.accept(socket);
      }
    }

    private void leave() {
      if (isStrange) {
        isStrange = false;
        strangers.decrementAndGet();
        loop.cancelTimer(timer);
      }
    }
  }
}
