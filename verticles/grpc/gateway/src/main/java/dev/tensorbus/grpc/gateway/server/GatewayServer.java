// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.IdleConnections;
import dev.tensorbus.rpc.transport.listen.Listener;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServerOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// The HTTP/2 server of a gateway.
public final class GatewayServer {
  private static final Logger LOG = System.getLogger(GatewayServer.class.getName());

  /// The flow-control window of a stream, in bytes. With HTTP/2's default of 64 KiB, the sender of
  /// a large tensor would wait for a round trip after every 64 KiB.
  private static final int STREAM_WINDOW = 1 << 20;

  /// The flow-control window of a connection, in bytes.
  private static final int CONNECTION_WINDOW = 16 << 20;
  private static final int FRAME = 256 << 10;

  private GatewayServer() {}

  /// Creates the server; `handler` handles every request. On a loopback address without a token, it
  /// admits processes of this user only.
  @SuppressWarnings("exports") // `IdleConnections` is exported only to our modules
  public static HttpServer create(
      Vertx vertx,
      GatewayOptions options,
      IdleConnections connections,
      Handler<HttpServerRequest> handler) {
    Http2Settings settings =
        new Http2Settings()
            .setInitialWindowSize(STREAM_WINDOW)
            .setMaxFrameSize(FRAME)
            .setMaxConcurrentStreams(options.limits().calls());
    HttpServerOptions server =
        new HttpServerOptions()
            .setHost(options.host())
            .setPort(options.port())
            .setInitialSettings(settings)
            .setHttp2ConnectionWindowSize(CONNECTION_WINDOW);
    GatewayOptions.Tls tls = options.tls();
    if (tls != null) {
      server
          .setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .addCertPath(tls.certificate().toString())
                  .addKeyPath(tls.key().toString()));
    }
    boolean isForAll = !options.tokens().isEmpty() || !Addresses.isLoopback(options.host());
    return Listener.http(vertx, server, connections, isForAll, handler);
  }

  /// Returns the gRPC options of the server.
  public static GrpcServerOptions grpcOptions(GatewayOptions options) {
    GrpcServerOptions grpc =
        new GrpcServerOptions().setMaxMessageSize(options.limits().messageBytes());
    for (GrpcProtocol protocol : GrpcProtocol.values()) {
      if (protocol != GrpcProtocol.HTTP_2) {
        grpc.removeEnabledProtocol(protocol);
      }
    }
    return grpc;
  }

  /// Starts listening and logs the address. Warns if the network can reach a server without TLS.
  public static Future<HttpServer> listen(HttpServer server, GatewayOptions options) {
    return server
        .listen()
        .recover(error -> Future.failedFuture(explain(error, options)))
        .onSuccess(listening -> tell(listening.actualPort(), options));
  }

  private static IOException explain(Throwable error, GatewayOptions options) {
    return new IOException(
        "the gRPC gateway cannot open at %s:%d: %s; choose another --grpc-port or --grpc-host, and"
                .formatted(options.host(), options.port(), error.getMessage())
            + " check that --grpc-cert and --grpc-key are matching PEM files",
        error);
  }

  private static void tell(int port, GatewayOptions options) {
    LOG.log(
        Level.INFO,
        "gRPC on {0}:{1}{2}{3}",
        options.host(),
        Integer.toString(port),
        options.tls() == null ? "" : ", TLS",
        options.tokens().isEmpty() ? "" : ", with a token");
    if (options.tls() == null && !Addresses.isLoopback(options.host())) {
      LOG.log(
          Level.WARNING,
          "GRPC IS OPEN TO THE NETWORK WITHOUT TLS at {0}:{1}: anyone on the path can read and"
              + " change all traffic, including the token. Set --grpc-cert and --grpc-key, or bind"
              + " to 127.0.0.1.",
          options.host(),
          Integer.toString(port));
    }
  }
}
