// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.observability;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.benchmarks.rpc.Callee;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/// Measures a metrics scrape of a worker that has exchanged calls with 63 others: the scrape's
/// duration and its number of time series. All workers share one JVM, because only their number
/// matters.
public final class ScrapeBench extends RpcWorker {
  private static final RoleBinding SCRAPED =
      new RoleBinding(
          Role.PARAMETER_SERVER,
          (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options));

  /// The program of this benchmark; it runs in one JVM.
  public static final Program PROGRAM =
      new Program(
          "scrape",
          "metrics of a worker in a world of 64, for a minute",
          ProgramSettings.with(Setting.WORLD_SIZE.from(1)),
          options -> {},
          new RoleBinding(Role.PARAMETER_SERVER, ScrapeBench::new),
          new RoleBinding(
              Role.TRAINER, (options, progress) -> new RpcWorker(Role.TRAINER, options)));

  /// One world of one process: the 64 workers form a cluster in the memory of this process.
  public static final List<JsonObject> WORLDS =
      List.of(new JsonObject().put(Setting.WORLD_SIZE.key(), 1));

  private static final int WORKERS = 64;
  private static final int SCRAPES = 500;

  private final Progress progress;

  private ScrapeBench(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    int port = FreePort.find();
    WorkerOptions options = options(port);
    Vertx vertx = new MemoryCluster().start();
    try {
      vertx.deployVerticle(scraped(options)).await();
      List<Rpc> others =
          Future.all(
                  IntStream.range(1, WORKERS).mapToObj(rank -> open(vertx, rank, options)).toList())
              .await()
              .list();
      others.forEach(other -> other.ready().await());
      others.forEach(ScrapeBench::callScraped);
      measure(URI.create("http://127.0.0.1:" + port + "/metrics"));
      Future.join(others.stream().map(Rpc::shutdown).toList())
          .await(); // waits for the scraped worker, too
    } finally {
      vertx.close().await();
    }
  }

  private static WorkerOptions options(int port) {
    return WorkerOptions.of(
        ProgramSettings.with(),
        new JsonObject()
            .put(Setting.WORLD_SIZE.key(), WORKERS)
            .put(Setting.RANK.key(), 0)
            .put(Setting.METRICS.key(), port));
  }

  private static RpcWorker scraped(WorkerOptions options) {
    MetricsExtension metrics = MetricsExtension.of(SCRAPED.role().isFirst(), options).orElseThrow();
    RpcWorker worker = SCRAPED.worker(options, metrics.progress());
    worker.attach(metrics);
    return worker;
  }

  private static Future<Rpc> open(Vertx vertx, int rank, WorkerOptions scraped) {
    RpcOptions options =
        RpcOptions.worldSize(WORKERS).withRank(rank).withProgram(scraped.program());
    return Rpc.open(vertx, Role.TRAINER.nameOf(rank), options);
  }

  private static void callScraped(Rpc other) {
    other.rpcSync(Role.PARAMETER_SERVER.nameOf(0), ScrapeBench::callBack, other.self().name());
  }

  /// Calls the caller back.
  @Remote
  static void callBack(String caller) {
    Rpc.current().rpcSync(caller, Callee::noop);
  }

  private void measure(URI page) {
    Times times = Times.of(SCRAPES, SCRAPES, () -> scrape(page));
    long series = scrape(page).lines().filter(line -> !line.startsWith("#")).count();
    say("p50", times.median() * 1e3, "ms");
    say("p99", times.quantile(0.99) * 1e3, "ms");
    say("series", (double) series, "series");
  }

  private static String scrape(URI page) {
    try (var body = page.toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void say(String what, double value, String unit) {
    progress.say(new Figure("scrape.64workers." + what, value, unit).toString());
  }
}
