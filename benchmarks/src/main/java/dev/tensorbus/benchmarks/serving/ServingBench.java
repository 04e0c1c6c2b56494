// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.serving;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.verticles.worker.Startup;
import dev.tensorbus.web.ModelHandler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Measures the answers of [ModelHandler] to clients that each send their next request when the
/// previous one is answered, while the weights change, and compares them with the model's own time
/// for a batch of one example of each client. Clients and server share one JVM.
public final class ServingBench {
  /// The benchmark.
  public static final KernelBenchmark BENCHMARK =
      new KernelBenchmark(
          "serve",
          "predictions over HTTP for 8 clients while the weights change",
          ServingBench.class);

  private static final int CLIENTS = 8;
  private static final int REQUESTS = 4000;
  private static final Shape IMAGE = Shape.of(1, 28, 28);
  private static final Duration VERSION_EVERY = Duration.ofMillis(100);

  private final SplittableRandom random = new SplittableRandom(1);
  private final Vertx vertx = Vertx.vertx();
  private final HttpClientAgent client = vertx.createHttpClient();
  private final ModelHandler model = ModelHandler.create(new MnistNet(random), IMAGE);
  private final Buffer body = body(random);
  private final RequestOptions request;

  private ServingBench() {
    Router router = Router.router(vertx);
    router.post("/predict").handler(model);
    int port =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await().actualPort();
    request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost("127.0.0.1")
            .setPort(port)
            .setURI("/predict");
  }

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) throws Exception {
    Startup.begin();
    reportModel();
    ServingBench bench = new ServingBench();
    bench.request(REQUESTS); // the JVM compiles the code
    bench.measure();
    bench.vertx.close().await();
  }

  private static void reportModel() {
    MnistNet net = new MnistNet(new SplittableRandom(1));
    net.eval();
    Tensor images = Tensor.randn(new SplittableRandom(2), CLIENTS, 1, 28, 28);
    Times times = NoGrad.call(() -> Times.of(100, REQUESTS, () -> net.forward(images)));
    print("model.batch" + CLIENTS, times.median() * 1e3, "ms");
  }

  private void measure() {
    StateDict weights = new MnistNet(random).state();
    long timer = vertx.setPeriodic(VERSION_EVERY.toMillis(), id -> model.load(weights));
    long start = System.nanoTime();
    Times times = request(REQUESTS);
    double seconds = (System.nanoTime() - start) / 1e9;
    vertx.cancelTimer(timer);
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
    for (int y = 0; y < IMAGE.size(1); y++) {
      JsonArray row = new JsonArray();
      random.doubles(IMAGE.size(2)).forEach(value -> row.add(Math.round(value * 255) / 255f));
      rows.add(row);
    }
    JsonArray image = new JsonArray().add(rows);
    return new JsonObject().put("instances", new JsonArray().add(image)).toBuffer();
  }
}
