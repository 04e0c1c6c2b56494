// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerExtension;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Lets Prometheus read a worker's metrics, and others ask for its health, by HTTP.
public final class MetricsExtension implements WorkerExtension {
  private static final System.Logger LOG = System.getLogger(MetricsExtension.class.getName());

  private final WorkerOptions options;
  private final CountedProgress progress;
  private volatile @Nullable WorkerMeters meters;
  private volatile @Nullable HttpServer server;

  /// @param options where to listen
  /// @param shown where the worker's progress is shown
  MetricsExtension(WorkerOptions options, Progress shown) {
    this.options = options;
    progress = new CountedProgress(shown);
  }

  /// A worker of this role, with metrics if its options ask for them; ready to be deployed.
  public static RpcWorker worker(RoleBinding role, WorkerOptions options, Progress shown) {
    if (options.optionalInt(Setting.METRICS).isEmpty()) {
      return role.worker(options, shown);
    }
    MetricsExtension metrics = new MetricsExtension(options, shown);
    RpcWorker worker = role.worker(options, metrics.progress());
    worker.attach(metrics);
    return worker;
  }

  /// Where the worker is to report its progress.
  Progress progress() {
    return progress;
  }

  @Override
  public Future<?> start(Vertx vertx, Rpc rpc) {
    int port = options.whole(Setting.METRICS);
    String host = options.word(Setting.METRICS_HOST);
    WorkerMeters own = new WorkerMeters(rpc, options.worldSize(), progress);
    meters = own;
    return vertx
        .createHttpServer()
        .requestHandler(new MetricsHandler(vertx, rpc, options.worldSize(), own))
        .listen(port, host)
        .onSuccess(
            opened -> {
              server = opened;
              LOG.log(Level.INFO, () -> "metrics at http://" + host + ":" + port() + "/metrics");
            })
        .recover(error -> Future.failedFuture(cannotListen(host, port, error)));
  }

  private static IllegalStateException cannotListen(String host, int port, Throwable cause) {
    return new IllegalStateException(
        "metrics cannot listen at port %d of %s: %s; give each worker of this host a free port by %s"
            .formatted(port, host, cause.getMessage(), Setting.METRICS.option()),
        cause);
  }

  /// The port that it listens at, once it has started.
  int port() {
    HttpServer opened = server;
    return opened == null ? 0 : opened.actualPort();
  }

  @Override
  public Future<?> stop() {
    WorkerMeters own = meters;
    if (own != null) {
      own.close();
    }
    HttpServer opened = server;
    return opened == null ? Future.succeededFuture() : opened.close();
  }
}
