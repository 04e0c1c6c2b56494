// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.serving;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.verticles.worker.Startup;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// The clients of [ServingBench], in a JVM without a model. Each has a connection of its own, and
/// sends its next request when the previous one is answered.
final class ServingClients {
  private static final int CLIENTS = ServingBench.CLIENTS;
  private static final int REQUESTS = 4000;

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client =
      vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CLIENTS));
  private final Buffer body = body(new SplittableRandom(1));
  private final RequestOptions request;

  private ServingClients(int port) {
    request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost("127.0.0.1")
            .setPort(port)
            .setURI("/predict");
  }

  /// Prints the figures.
  ///
  /// @param arguments the server's port
  public static void main(String[] arguments) {
    Startup.begin();
    ServingClients clients = new ServingClients(Integer.parseInt(arguments[0]));
    clients.request(REQUESTS); // both JVMs compile the code
    clients.measure();
    clients.vertx.close().await();
  }

  private void measure() {
    long start = System.nanoTime();
    Times times = request(REQUESTS);
    double seconds = (System.nanoTime() - start) / 1e9;
    print("p50", times.quantile(0.5) * 1e3, "ms");
    print("p99", times.quantile(0.99) * 1e3, "ms");
    print("max", times.quantile(1) * 1e3, "ms");
    print("throughput", CLIENTS * REQUESTS / seconds, "requests/s");
  }

  private static void print(String name, double value, String unit) {
    IO.println(new Figure("serve." + name + KernelBenchmark.suffix(), value, unit));
  }

  /// Sends `count` requests from each client, and returns their times.
  ///
  /// @throws IllegalStateException if one is not answered with a prediction
  private Times request(int count) {
    Times times = new Times(CLIENTS * count);
    Future.all(IntStream.range(0, CLIENTS).mapToObj(i -> next(count, times)).toList()).await();
    return times;
  }

  private Future<Void> next(int count, Times times) {
    if (count == 0) {
      return Future.succeededFuture();
    }
    long start = System.nanoTime();
    return client
        .request(request)
        .compose(sent -> sent.send(body))
        .compose(
            answer ->
                answer.statusCode() == 200
                    ? answer.body()
                    : Future.failedFuture(new IllegalStateException("" + answer.statusCode())))
        .compose(
            answer -> {
              synchronized (times) {
                times.add(System.nanoTime() - start);
              }
              return next(count - 1, times);
            });
  }

  private static Buffer body(SplittableRandom random) {
    JsonArray rows = new JsonArray();
    for (int y = 0; y < ServingBench.IMAGE.size(1); y++) {
      JsonArray row = new JsonArray();
      random
          .doubles(ServingBench.IMAGE.size(2))
          .forEach(value -> row.add(Math.round(value * 255) / 255f));
      rows.add(row);
    }
    JsonArray image = new JsonArray().add(rows);
    return new JsonObject().put("instances", new JsonArray().add(image)).toBuffer();
  }
}
