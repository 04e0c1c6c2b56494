// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

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
import java.net.InetAddress;
import java.net.UnknownHostException;

/// The HTTP/2 server under a gateway.
public final class GatewayServer {
  private static final Logger LOG = System.getLogger(GatewayServer.class.getName());

  /// Bytes that may be on their way in one stream, and in all of a connection: HTTP/2's own 64 KiB
  /// make every few parts of a tensor wait for a round trip.
  private static final int STREAM_WINDOW = 1 << 20;

  private static final int CONNECTION_WINDOW = 16 << 20;
  private static final int FRAME = 256 << 10;

  private GatewayServer() {}

  /// Makes it; every request goes through `handler`.
  public static HttpServer create(
      Vertx vertx, GatewayOptions options, Handler<HttpServerRequest> handler) {
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
    return vertx.createHttpServer(server).requestHandler(handler);
  }

  /// How gRPC is spoken on it.
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

  /// Listens, and says so; loudly where anybody on the way can read and write.
  public static Future<HttpServer> listen(HttpServer server, GatewayOptions options) {
    return server
        .listen()
        .recover(error -> Future.failedFuture(explain(error, options)))
        .onSuccess(listening -> tell(listening.actualPort(), options));
  }

  private static IOException explain(Throwable error, GatewayOptions options) {
    return new IOException(
        "the gRPC gateway cannot open at %s:%d: %s; choose another --grpc-port or --grpc-host, and see"
                .formatted(options.host(), options.port(), error.getMessage())
            + " that --grpc-cert and --grpc-key are PEM files that fit",
        error);
  }

  private static void tell(int port, GatewayOptions options) {
    LOG.log(
        Level.INFO,
        "gRPC on {0}:{1}{2}{3}",
        options.host(),
        Integer.toString(port),
        options.tls() == null ? "" : ", TLS",
        options.token() == null ? "" : ", with a token");
    if (options.tls() == null && !isLoopback(options.host())) {
      LOG.log(
          Level.WARNING,
          "GRPC IS OPEN TO THE NETWORK WITHOUT TLS at {0}:{1}: whoever is on the way can read and"
              + " change all that is said, the token included. Give --grpc-cert and --grpc-key,"
              + " or bind to 127.0.0.1.",
          options.host(),
          Integer.toString(port));
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
