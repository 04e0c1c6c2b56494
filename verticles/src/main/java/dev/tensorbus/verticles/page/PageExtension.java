// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.LocalHttp;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageHandler.World;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Serves the [live page][LivePage] of a world on a port of its own, on rank 0. After the training,
/// the page stays up, with the final state, until the worker is undeployed.
public final class PageExtension implements WorkerExtension {
  private final WorkerOptions options;
  private final String command;
  private final MetricsExtension metrics;
  private final Consumer<String> say;
  private final Access access;
  private final Optional<Runs> runs;
  private @Nullable LivePage page;
  private @Nullable HttpServer server;

  /// @param options the worker's options, with the address to listen on
  /// @param command the command line of the run
  /// @param metrics the metrics of this worker, which the page's port serves too
  /// @param say shows lines to the user
  PageExtension(
      WorkerOptions options, String command, MetricsExtension metrics, Consumer<String> say) {
    this.options = options;
    this.command = command;
    this.metrics = metrics;
    this.say = say;
    access = Access.at(options.word(Setting.PAGE_HOST));
    runs = options.path(Setting.RUNS).map(Runs::in);
  }

  /// Returns the page of a worker; empty unless the worker is rank 0 and the options enable the
  /// page. May block on a name lookup.
  ///
  /// @param isFirst whether the worker has rank 0
  /// @param command the command line of the run, which the page shows
  /// @param metrics the metrics of this worker, which the page's port serves too
  /// @param say shows lines to the user, such as the page's URL
  public static Optional<PageExtension> of(
      boolean isFirst,
      WorkerOptions options,
      String command,
      Optional<MetricsExtension> metrics,
      Consumer<String> say) {
    return isFirst && options.optionalInt(Setting.PAGE).isPresent()
        ? metrics.map(own -> new PageExtension(options, command, own, say))
        : Optional.empty();
  }

  @Override
  public synchronized Future<?> start(Rpc rpc) {
    LivePage live = new LivePage(rpc, RunProperties.of(options, command), runs);
    World world = live.world(Optional.of(metrics));
    return listen(rpc.vertx(), new PageHandler(rpc.vertx(), "", access, runs, Optional.of(world)))
        .compose(opened -> begin(live, opened));
  }

  private synchronized Future<?> begin(LivePage live, HttpServer opened) {
    page = live;
    server = opened;
    say.accept("page of this world: " + url());
    return live.open();
  }

  private Future<HttpServer> listen(Vertx vertx, PageHandler handler) {
    int port = options.whole(Setting.PAGE);
    String host = options.word(Setting.PAGE_HOST);
    boolean isForAll = access.needsToken() || options.isOn(Setting.TRUSTED_NETWORK);
    return LocalHttp.server(vertx, isForAll, handler)
        .listen(port, host)
        .recover(error -> Future.failedFuture(cannotListen(host, port, error)));
  }

  private static IllegalStateException cannotListen(String host, int port, Throwable cause) {
    return new IllegalStateException(
        "the page cannot listen on port %d of %s: %s; set %s to a free port"
            .formatted(port, host, cause.getMessage(), Setting.PAGE.option()),
        cause);
  }

  /// Returns the page's URL, which has port 0 until the server has started.
  synchronized String url() {
    int port = server == null ? 0 : server.actualPort();
    return access.url(options.word(Setting.PAGE_HOST), port);
  }

  /// Freezes the page at its last state. The server closes when the worker is undeployed.
  @Override
  public synchronized Future<?> stop() {
    return page == null ? Future.succeededFuture() : page.close();
  }

  /// Blocks until the JVM is terminated, so that the final state can be viewed.
  public void stayOpen() throws InterruptedException {
    sayThatItStays();
    new CountDownLatch(1).await();
  }

  /// Tells the user that the page shows the final state.
  public void sayThatItStays() {
    say.accept("the training has ended; " + url() + " stays up until Ctrl-C");
  }
}
