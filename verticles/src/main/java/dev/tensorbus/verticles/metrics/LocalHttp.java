// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.grpc.gateway.server.IdleConnections;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;

/// The rules of the HTTP servers of a worker, the page's and that of its metrics.
public final class LocalHttp {
  /// How long a connection may take until its first request, as on the event bus.
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(5);

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  /// A foreign page may have its own name lead to 127.0.0.1; a browser then sends that name.
  private static final Set<String> OWN_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1", "0:0:0:0:0:0:0:1");

  private LocalHttp() {}

  /// A server whose silent connections are few and short.
  public static HttpServer server(Vertx vertx, Handler<HttpServerRequest> handler) {
    IdleConnections connections = new IdleConnections(vertx, FIRST_REQUEST, KEEP_ALIVE);
    // Vert.x would wait for the first bytes of HTTP/2 before it tells of a connection.
    HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
    return vertx
        .createHttpServer(options)
        .connectionHandler(connections::enter)
        .requestHandler(connections.around(handler));
  }

  /// Whether a server that listens at this address can be reached from this machine alone. A name
  /// that nobody knows is none of this machine.
  public static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /// Whether a request calls its server by a name of this machine.
  public static boolean isForLoopback(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    return authority != null && OWN_NAMES.contains(authority.host());
  }
}
