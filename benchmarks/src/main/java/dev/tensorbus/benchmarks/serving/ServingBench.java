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
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// Measures the answers of [ModelHandler] to the [ServingClients] while the weights change, and
/// compares them with the model's own time for a batch of one example of each client: the median of
/// its forward pass in the same JVM, before the clients start.
public final class ServingBench {
  /// The benchmark.
  public static final KernelBenchmark BENCHMARK =
      new KernelBenchmark(
          "serve",
          "predictions over HTTP for 8 clients while the weights change",
          ServingBench.class);

  static final int CLIENTS = 8;
  static final Shape IMAGE = Shape.of(1, 28, 28);
  private static final int BATCHES = 1000;
  private static final Duration VERSION_EVERY = Duration.ofMillis(100);

  private ServingBench() {}

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) throws Exception {
    Startup.begin();
    reportModel();
    Vertx vertx = Vertx.vertx();
    ModelHandler model = ModelHandler.create(new MnistNet(new SplittableRandom(1)), IMAGE);
    Router router = Router.router(vertx);
    router.post("/predict").handler(model);
    int port =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await().actualPort();
    StateDict weights = new MnistNet(new SplittableRandom(2)).state();
    vertx.setPeriodic(VERSION_EVERY.toMillis(), id -> model.load(weights));
    int threads = Integer.getInteger("tensorbus.threads");
    int code = KernelBenchmark.run(ServingClients.class, threads, List.of(Integer.toString(port)));
    vertx.close().await();
    System.exit(code);
  }

  private static void reportModel() {
    MnistNet net = new MnistNet(new SplittableRandom(1));
    net.eval();
    Tensor images = Tensor.randn(new SplittableRandom(2), CLIENTS, 1, 28, 28);
    Times times = NoGrad.call(() -> Times.of(100, BATCHES, () -> net.forward(images)));
    IO.println(
        new Figure(
            "serve.model.batch" + CLIENTS + KernelBenchmark.suffix(), times.median() * 1e3, "ms"));
  }
}
