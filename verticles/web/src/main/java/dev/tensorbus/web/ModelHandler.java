// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.Predictions;
import dev.tensorbus.optim.server.Predictions.Prediction;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.optim.server.Version;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Answers requests with the predictions of a model. Examples of concurrent requests are computed
/// together.
///
/// ```java
/// ModelHandler model = ModelHandler.create(network, Shape.of(784));
/// router.post("/predict").handler(model);
/// …
/// model.load(trained.state()); // a new version of the weights
/// ```
///
/// A request such as `{"instances": [[0, 0.5, …], …]}` is answered with `{"predictions": [[0.1, …],
/// …], "version": 1}`, as in the first version of KServe's and TensorFlow Serving's protocol. An
/// error is `{"error": "…"}`, one line, with one of these codes:
///
/// - 400: the body is not valid for the model;
/// - 413: the body exceeds [#setBodyLimit];
/// - 500: the model fails, or returns NaN;
/// - 503: [#setQueueLimit] requests are waiting, or the handler is closed; `Retry-After` says when
///   to try again.
public final class ModelHandler implements Handler<RoutingContext>, AutoCloseable {
  private static final long BODY_LIMIT = 1 << 20;
  private static final int QUEUE_LIMIT = 256;

  private final Layer network;
  private volatile Version version;
  private final Predictions predictions;
  private final Instances instances;
  private final ModelMeters meters;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long bodyLimit = BODY_LIMIT;
  private volatile int queueLimit = QUEUE_LIMIT;
  private volatile Function<Tensor, Object> answer = Instances::write;

  private ModelHandler(Predictor predictor, Batching batching, MeterRegistry registry) {
    this.network = predictor.twin();
    this.version = new Version(1, network.state());
    this.meters = new ModelMeters(registry);
    this.predictions = new Predictions(meters.measured(predictor), () -> version, batching);
    this.instances = new Instances("instances", predictor.example(), predictor.dtype());
    Gauge.builder("tensorbus.model.version", this, it -> it.version.number())
        .description("Version of the weights")
        .register(registry);
    Gauge.builder("tensorbus.model.waiting", waiting, AtomicInteger::get)
        .description("Requests that wait for their predictions")
        .register(registry);
  }

  /// Creates a handler with [Batching#STANDARD]. Its metrics are in `Metrics.globalRegistry`.
  ///
  /// @param network the network that computes the predictions. Nothing else may use it: the handler
  ///     switches it to evaluation mode and loads new versions into it
  /// @param example the shape of one example
  public static <N extends Layer & Forward> ModelHandler create(N network, Shape example) {
    return create(network, example, DType.FLOAT32);
  }

  /// Creates a handler for examples of another type, such as int64 for indices of words.
  ///
  /// @throws IllegalArgumentException if the type is neither float32 nor int64
  /// @see #create(Layer, Shape)
  public static <N extends Layer & Forward> ModelHandler create(
      N network, Shape example, DType dtype) {
    return create(
        new Predictor(network, network::forward, example, dtype),
        Batching.STANDARD,
        Metrics.globalRegistry);
  }

  /// Creates a handler with another forward pass, other batches, or a registry of the application.
  public static ModelHandler create(
      Predictor predictor, Batching batching, MeterRegistry registry) {
    return new ModelHandler(predictor, batching, registry);
  }

  /// Sets the maximum number of bytes in a body (default: 1 MiB). A `BodyHandler` before this
  /// handler has a limit of its own.
  public ModelHandler setBodyLimit(long bytes) {
    bodyLimit = bytes;
    return this;
  }

  /// Sets the maximum number of requests that wait for their predictions (default: 256).
  public ModelHandler setQueueLimit(int requests) {
    queueLimit = requests;
    return this;
  }

  /// Sets the function that makes the JSON value of each prediction from its row of the model's
  /// output. By default, it is the row as nested arrays.
  public ModelHandler setAnswer(Function<Tensor, Object> answer) {
    this.answer = answer;
    return this;
  }

  /// Loads a new version of the weights and returns its number. Requests whose computation has
  /// begun are answered with the previous version, later ones with the new version. A request is
  /// never computed with a mixture. May be called on any thread.
  ///
  /// @throws IllegalArgumentException if the state does not fit the network; in this case the
  ///     previous version remains
  public synchronized long load(StateDict state) {
    network.requireFit(state);
    Version next = new Version(version.number() + 1, state);
    version = next;
    return next.number();
  }

  @Override
  public void handle(RoutingContext context) {
    Stopwatch watch = Stopwatch.start();
    HttpServerResponse response = context.response();
    RequestBody.read(context, bodyLimit)
        .compose(body -> predict(context.vertx(), body))
        .onSuccess(
            json -> {
              meters.answered(200, watch.nanos());
              Answers.end(response, 200, json);
            })
        .onFailure(
            error -> {
              HttpException refusal = Answers.refusal(error);
              meters.answered(refusal.getStatusCode(), watch.nanos());
              Answers.refuse(response, refusal);
            });
  }

  private Future<Buffer> predict(Vertx vertx, Buffer body) {
    if (waiting.incrementAndGet() > queueLimit) {
      waiting.decrementAndGet();
      return Future.failedFuture(
          new HttpException(503, "%d requests are waiting; try again later".formatted(queueLimit)));
    }
    return Answers.compute(vertx, "predict", () -> predict(body))
        .onComplete(v -> waiting.decrementAndGet());
  }

  private Buffer predict(Buffer body) throws InterruptedException {
    try {
      Prediction prediction = predictions.predict(instances.read(Instances.decode(body))).get();
      JsonArray answers = new JsonArray();
      for (int i = 0; i < prediction.rows().shape().size(0); i++) {
        answers.add(answer.apply(prediction.rows().select(0, i)));
      }
      return new JsonObject()
          .put("predictions", answers)
          .put("version", prediction.version())
          .toBuffer();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }

  /// Stops computing. Requests that still wait are answered with 503.
  @Override
  public void close() {
    predictions.close();
  }
}
