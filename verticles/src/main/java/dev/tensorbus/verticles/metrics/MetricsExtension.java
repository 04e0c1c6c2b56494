// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Serves a worker's metrics, in Prometheus format, and its health over HTTP.
public final class MetricsExtension implements WorkerExtension {
  private static final System.Logger LOG = System.getLogger(MetricsExtension.class.getName());

  /// The interval at which an encrypted server reads its certificates again.
  private static final long RENEWAL_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final WorkerOptions options;
  private final CountedProgress progress = new CountedProgress();
  private volatile @Nullable WorkerMeters meters;
  private volatile @Nullable MetricsHandler handler;
  private volatile @Nullable HttpServer server;
  private volatile Runnable endRenewal = () -> {};

  /// @param options the worker's options, with the address to listen on
  MetricsExtension(WorkerOptions options) {
    this.options = options;
  }

  /// Returns the extension for a worker; empty unless the options enable the metrics port or, on
  /// rank 0, the page.
  ///
  /// @param isFirst whether the worker has rank 0
  public static Optional<MetricsExtension> of(boolean isFirst, WorkerOptions options) {
    boolean isPaged = isFirst && options.optionalInt(Setting.PAGE).isPresent();
    return isPaged || options.optionalInt(Setting.METRICS).isPresent()
        ? Optional.of(new MetricsExtension(options))
        : Optional.empty();
  }

  /// Returns the [Progress] that the worker must report to.
  public Progress progress() {
    return progress;
  }

  /// Answers a request for `/metrics` or `/health`, with status 503 until the worker has started.
  public void answer(HttpServerRequest request) {
    MetricsHandler started = handler;
    if (started == null) {
      request.response().setStatusCode(503).end("the worker has not started\n");
    } else {
      started.handle(request);
    }
  }

  @Override
  public Future<?> start(Rpc rpc) {
    WorkerMeters own = new WorkerMeters(rpc, progress);
    MetricsHandler started = new MetricsHandler(rpc, own);
    meters = own;
    handler = started;
    return options.optionalInt(Setting.METRICS).isPresent()
        ? listen(rpc.vertx(), started)
        : Future.succeededFuture();
  }

  private Future<?> listen(Vertx vertx, MetricsHandler started) {
    int port = options.whole(Setting.METRICS);
    String host = options.word(Setting.METRICS_HOST);
    boolean isLocal = Addresses.isLoopback(host);
    boolean isForAll = !isLocal || options.isOn(Setting.TRUSTED_NETWORK);
    Optional<Path> certificates = isLocal ? Optional.empty() : options.path(Setting.TLS);
    HttpServerOptions http =
        certificates.map(LocalHttp::encrypted).orElseGet(HttpServerOptions::new);
    return LocalHttp.server(vertx, http, isForAll, isLocal ? localOnly(started) : started)
        .listen(port, host)
        .onSuccess(
            opened -> {
              server = opened;
              certificates.ifPresent(folder -> follow(vertx, opened, folder));
              String url = (http.isSsl() ? "https://" : "http://") + host + ":" + port();
              LOG.log(Level.INFO, "metrics on {0}/metrics", url);
            })
        .recover(error -> Future.failedFuture(cannotListen(host, port, error)));
  }

  /// Reads the certificates of a server again, since they may have been renewed.
  private void follow(Vertx vertx, HttpServer opened, Path folder) {
    long timer = vertx.setPeriodic(RENEWAL_MILLIS, _ -> renew(vertx, opened, folder));
    endRenewal = () -> vertx.cancelTimer(timer);
  }

  /// Invalid files change nothing.
  static Future<?> renew(Vertx vertx, HttpServer opened, Path folder) {
    return vertx
        .executeBlocking(() -> Certificates.read(folder))
        .compose(_ -> opened.updateSSLOptions(LocalHttp.encrypted(folder).getSslOptions(), true))
        .onFailure(
            error ->
                LOG.log(
                    Level.WARNING,
                    "metrics keep the former certificates: {0}",
                    error.getMessage()));
  }

  private static Handler<HttpServerRequest> localOnly(Handler<HttpServerRequest> handler) {
    return request -> {
      if (LocalHttp.isForLoopback(request)) {
        handler.handle(request);
      } else {
        request.response().setStatusCode(403).end("use localhost or 127.0.0.1 as the host name\n");
      }
    };
  }

  private static IllegalStateException cannotListen(String host, int port, Throwable cause) {
    return new IllegalStateException(
        "metrics cannot listen on port %d of %s: %s; set %s to a free port, one per worker of a host"
            .formatted(port, host, cause.getMessage(), Setting.METRICS.option()),
        cause);
  }

  /// Returns the port that the server listens on; 0 before it has started.
  int port() {
    HttpServer opened = server;
    return opened == null ? 0 : opened.actualPort();
  }

  @Override
  public Future<?> stop() {
    endRenewal.run();
    WorkerMeters own = meters;
    if (own != null) {
      own.close();
    }
    HttpServer opened = server;
    return opened == null ? Future.succeededFuture() : opened.close();
  }
}
