// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.transport.listen.IdleConnections;
import dev.tensorbus.rpc.transport.listen.Listener;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/// Creates the HTTP servers of a worker, for its page and its metrics, and checks their requests.
public final class LocalHttp {
  /// The maximum time until the first request on a connection; the event bus has the same limit.
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(5);

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);

  /// The accepted host names, against DNS rebinding: an attacker may resolve their own domain to
  /// 127.0.0.1, but browsers then send that domain as the host.
  private static final Set<String> OWN_NAMES =
      Set.of("localhost", "127.0.0.1", "[::1]", "::1", "0:0:0:0:0:0:0:1");

  private LocalHttp() {}

  /// Creates a server that limits the number and the lifetime of idle connections.
  ///
  /// @param isForAll whether it admits processes of other users of this machine
  public static HttpServer server(
      Vertx vertx, boolean isForAll, Handler<HttpServerRequest> handler) {
    return server(vertx, new HttpServerOptions(), isForAll, handler);
  }

  /// Returns the options of a server that encrypts its connections, and admits only clients with a
  /// certificate of the world's authority, of workers or others.
  ///
  /// @param folder the files of this process, see [Certificates]
  static HttpServerOptions encrypted(Path folder) {
    return new HttpServerOptions()
        .setSsl(true)
        .setClientAuth(ClientAuth.REQUIRED)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertPath(folder.resolve(Certificates.CERTIFICATE).toString())
                .addKeyPath(folder.resolve(Certificates.KEY).toString()))
        .setTrustOptions(
            new PemTrustOptions().addCertPath(folder.resolve(Certificates.AUTHORITY).toString()));
  }

  /// Creates a server with options of its own.
  static HttpServer server(
      Vertx vertx,
      HttpServerOptions options,
      boolean isForAll,
      Handler<HttpServerRequest> handler) {
    IdleConnections connections = new IdleConnections(vertx, FIRST_REQUEST, KEEP_ALIVE);
    // With HTTP/2, Vert.x would call the connection handler only after the first bytes.
    options.setHttp2ClearTextEnabled(false).setUseAlpn(false);
    return Listener.http(vertx, options, connections, isForAll, connections.around(handler));
  }

  /// Returns whether the `Host` of a request is a loopback name.
  public static boolean isForLoopback(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    return authority != null && OWN_NAMES.contains(authority.host());
  }
}
