// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Stream;

/// Two workers in memory, `worker0` and `worker1`, each with metrics at a free port.
final class MeasuredWorld implements AutoCloseable {
  private static final int SIZE = 2;

  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = Stream.generate(cluster::start).limit(SIZE).toList();
  private final List<MetricsExtension> metrics =
      Stream.generate(() -> new MetricsExtension(options(0))).limit(SIZE).toList();
  private final List<Rpc> workers;
  private final HttpClient http = HttpClient.newHttpClient();

  MeasuredWorld() {
    workers = List.of(open(0), open(1));
    workers.forEach(rpc -> rpc.ready().await());
    for (int rank = 0; rank < SIZE; rank++) {
      metrics.get(rank).start(workers.get(rank)).await();
    }
  }

  private Rpc open(int rank) {
    RpcOptions options =
        RpcOptions.worldSize(SIZE).withRank(rank).withHeartbeatTimeout(TestWorld.SILENCE);
    return Rpc.open(hosts.get(rank), "worker" + rank, options).await();
  }

  static WorkerOptions options(int port) {
    JsonObject given =
        new JsonObject().put(Setting.WORLD_SIZE.key(), SIZE).put(Setting.METRICS.key(), port);
    return WorkerOptions.of(ProgramSettings.with(), given);
  }

  Rpc worker(int rank) {
    return workers.get(rank);
  }

  MetricsExtension metrics(int rank) {
    return metrics.get(rank);
  }

  /// Ends a worker without a goodbye, and waits until the other one misses it.
  void kill(int rank) {
    Promise<WorkerInfo> missed = Promise.promise();
    workers.get(1 - rank).onWorkerLost(missed::tryComplete);
    cluster.kill(hosts.get(rank)).await();
    missed.future().await();
  }

  HttpResponse<String> get(int rank, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + metrics.get(rank).port() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  Scrape scrape(int rank) throws IOException, InterruptedException {
    return new Scrape(get(rank, "/metrics").body());
  }

  @Override
  public void close() {
    http.close();
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }

  /// The methods that its workers call.
  static final class Errands {
    private Errands() {}

    @Remote
    static int twice(int number) {
      return 2 * number;
    }

    @Remote
    static int fail() {
      throw new IllegalStateException("an errand that fails");
    }
  }
}
