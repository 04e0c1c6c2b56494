// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.metrics.MetricsExtension;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A parameter server and two trainers in memory, with a page at a free port.
final class PagedWorld implements AutoCloseable {
  static final String COMMAND = "tensorbus train example";

  private static final int SIZE = 3;

  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = Stream.generate(cluster::start).limit(SIZE).toList();
  private final List<Rpc> workers = new ArrayList<>();
  private final List<PageAnswers> answers = new ArrayList<>();
  private final Set<Integer> killed = new HashSet<>();
  private final List<String> said = new ArrayList<>();
  private final PageExtension page;
  private final HttpClient http = HttpClient.newHttpClient();
  private boolean isClosed;

  PagedWorld() {
    this("127.0.0.1");
  }

  /// @param host where the page listens
  PagedWorld(String host) {
    for (int rank = 0; rank < SIZE; rank++) {
      Role role = rank == 0 ? Role.PARAMETER_SERVER : Role.TRAINER;
      RpcOptions options =
          RpcOptions.worldSize(SIZE).withRank(rank).withHeartbeatTimeout(TestWorld.SILENCE);
      workers.add(Rpc.open(hosts.get(rank), role.nameOf(rank), options).await());
      answers.add(new PageAnswers(role.label()));
      answers.get(rank).start(workers.get(rank)).await();
    }
    workers.forEach(rpc -> rpc.ready().await());
    WorkerOptions options = options(0).with(Setting.PAGE_HOST, host);
    MetricsExtension metrics = metrics(options);
    metrics.start(workers.get(0)).await();
    page = new PageExtension(options, COMMAND, metrics, said::add);
    page.start(workers.get(0)).await();
  }

  private static WorkerOptions options(int port) {
    JsonObject given =
        new JsonObject().put(Setting.WORLD_SIZE.key(), SIZE).put(Setting.PAGE.key(), port);
    return WorkerOptions.of(ProgramSettings.with(), given);
  }

  private static MetricsExtension metrics(WorkerOptions options) {
    return MetricsExtension.of(true, options).orElseThrow();
  }

  /// Another page of rank 0, at this port.
  PageExtension another(int port) {
    WorkerOptions options = options(port);
    return new PageExtension(options, COMMAND, metrics(options), said::add);
  }

  PageExtension page() {
    return page;
  }

  Rpc worker(int rank) {
    return workers.get(rank);
  }

  /// Where a worker reports its progress.
  Progress progress(int rank) {
    return answers.get(rank).progress();
  }

  List<String> said() {
    return List.copyOf(said);
  }

  /// Ends a worker without a goodbye.
  void kill(int rank) {
    answers.get(rank).stop().await(); // a Vertx that is closed can stop nothing
    killed.add(rank);
    cluster.kill(hosts.get(rank)).await();
  }

  /// The page's address, without its token.
  URI uri(String path) {
    return URI.create(page.url()).resolve(path);
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  int status(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  /// The status of a POST that a browser sends.
  ///
  /// @param site how its site stands to this one
  int post(String path, String site) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Sec-Fetch-Site", site)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  /// Reads events until one has such a snapshot.
  JsonObject await(Predicate<JsonObject> wanted) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri("/events")).build();
    HttpResponse<Stream<String>> response = http.send(request, BodyHandlers.ofLines());
    try (Stream<String> lines = response.body()) {
      return lines
          .filter(line -> line.startsWith("data: "))
          .map(line -> new JsonObject(line.substring("data: ".length())))
          .filter(wanted)
          .findFirst()
          .orElseThrow(() -> new AssertionError("the events ended before such a snapshot came"));
    }
  }

  /// The worker of this name in a snapshot that has all.
  static JsonObject worker(JsonObject snapshot, String name) {
    return snapshot.getJsonArray("workers").stream()
        .map(JsonObject.class::cast)
        .filter(worker -> worker.getJsonObject("status").getString("worker").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + snapshot));
  }

  static boolean isComplete(JsonObject snapshot) {
    return snapshot.getJsonArray("workers").size() == SIZE;
  }

  /// The texts of a snapshot's notices.
  static List<String> notices(JsonObject snapshot) {
    return snapshot.getJsonArray("notices").stream()
        .map(notice -> ((JsonObject) notice).getString("text"))
        .toList();
  }

  /// May be called again.
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    http.shutdownNow();
    page.stop().otherwiseEmpty().await();
    for (int rank = 0; rank < SIZE; rank++) {
      if (!killed.contains(rank)) {
        answers.get(rank).stop().await();
      }
    }
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }
}
