// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;

/// Opens the listening sockets of a worker, except for those that the event bus (see
/// [GuardedTransport]) and Hazelcast open themselves.
public final class Listener {
  private static final System.Logger LOG = System.getLogger(Listener.class.getName());

  /// How long a TLS handshake of an HTTP client may take.
  private static final Duration HANDSHAKE = Duration.ofSeconds(5);

  private Listener() {}

  /// Listens at one address, even if a connection of an earlier process still lingers there.
  ///
  /// @throws IOException if the address is taken
  public static ServerSocket open(InetSocketAddress place) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(place);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Listens on the first free port, at `here` if that is an address of this machine. Otherwise the
  /// machine is behind NAT, and the socket listens at all of its addresses.
  ///
  /// @param backlog the maximum number of connections that wait to be accepted
  /// @param ports the ports to try, in this order; 0 for any
  /// @throws BindException if all are taken
  public static ServerSocketChannel open(InetAddress here, int backlog, int... ports)
      throws IOException {
    boolean isOurs = Addresses.isHere(here);
    for (int port : ports) {
      ServerSocketChannel opened = ServerSocketChannel.open();
      try {
        return opened.bind(
            isOurs ? new InetSocketAddress(here, port) : new InetSocketAddress(port), backlog);
      } catch (BindException e) {
        LOG.log(Level.DEBUG, "port {0} is taken", port);
        opened.close();
      }
    }
    throw new BindException("all ports are taken at " + here.getHostAddress());
  }

  /// Creates an HTTP server that does not listen yet.
  ///
  /// @param connections limits the number and the idle time of connections
  /// @param isForAll whether it admits processes of other users of this machine
  public static HttpServer http(
      Vertx vertx,
      HttpServerOptions options,
      IdleConnections connections,
      boolean isForAll,
      Handler<HttpServerRequest> handler) {
    options.setSslHandshakeTimeout(HANDSHAKE.toSeconds()).setSslHandshakeTimeoutUnit(SECONDS);
    return vertx
        .createHttpServer(options)
        .connectionHandler(
            connection -> {
              if (isForAll
                  || LocalUsers.mayBeOwn(connection.remoteAddress(), connection.localAddress())) {
                connections.enter(connection);
              } else {
                refuse(connection);
              }
            })
        .requestHandler(handler);
  }

  private static void refuse(HttpConnection connection) {
    LOG.log(
        Level.WARNING,
        "refused a connection of another user of this machine to port {0}; a token for gRPC, or"
            + " --trusted-network for page and metrics, admits them",
        Integer.toString(connection.localAddress().port()));
    Future<Void> _ = connection.close();
  }
}
