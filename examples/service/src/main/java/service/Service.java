// SPDX-License-Identifier: Apache-2.0
package service;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.application.ObservedWorker;
import dev.tensorbus.web.Instances;
import dev.tensorbus.web.ModelHandler;
import dev.tensorbus.web.RequestBody;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.healthchecks.HealthCheckHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.LongStream;

/// Predicts handwritten digits, and learns from the digits that its callers tell it.
final class Service {
  private static final Shape PIXELS = Shape.of(784);
  private static final Instances IMAGES = new Instances("instances", PIXELS, DType.FLOAT32);
  private static final Instances LABELS = new Instances("labels", Shape.SCALAR, DType.INT64);

  private final Rpc rpc;
  private final Sequential network = network();
  private final ModelHandler model =
      ModelHandler.create(network(), PIXELS).setAnswer(Service::digit);
  private final BlockingQueue<Batch> feedback = new ArrayBlockingQueue<>(64);
  private final Trainer<Batch> trainer;

  /// Resumes from the newest checkpoint, if there is one.
  Service(Rpc rpc, Path checkpoints) {
    this.rpc = rpc;
    this.trainer =
        Trainer.of(network, new Adam(0.001), new CrossEntropyLoss())
            .withProgress(rpc.progress())
            .withCheckpoints(new Checkpoints(checkpoints, 3));
    trainer.resume();
    model.load(network.state());
  }

  private static Sequential network() {
    var random = new Random(1);
    return new Sequential(new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
  }

  private static JsonObject digit(Tensor scores) {
    int digit = (int) scores.argmax(0).longs()[0];
    float probability = scores.softmax(0).values()[digit];
    return new JsonObject().put("digit", digit).put("probability", probability);
  }

  Router router() {
    Router router = Router.router(rpc.vertx());
    router.post("/predictions").handler(model);
    router
        .post("/feedback")
        .handler(
            context ->
                RequestBody.read(context, 1 << 20)
                    .map(this::accept)
                    .onSuccess(count -> context.response().setStatusCode(202).end())
                    .onFailure(error -> refuse(context, error)));
    Handler<HttpServerRequest> page = ObservedWorker.page(rpc, "/page");
    router.route("/page/*").handler(context -> page.handle(context.request()));
    HealthChecks checks = HealthChecks.create(rpc.vertx());
    checks.register("worker", ObservedWorker.health(rpc));
    router.get("/health").handler(HealthCheckHandler.createWithHealthChecks(checks));
    return router;
  }

  /// Queues images with their digits, and returns how many there are.
  private int accept(Buffer body) {
    Batch batch = new Batch(IMAGES.read(body), LABELS.read(body));
    if (LongStream.of(batch.targets().longs()).anyMatch(label -> label < 0 || label > 9)) {
      throw new HttpException(400, "labels must be from 0 to 9");
    }
    if (!feedback.offer(batch)) {
      throw new HttpException(503, "too much feedback is waiting; try again later");
    }
    return batch.size();
  }

  private static void refuse(RoutingContext context, Throwable error) {
    int status = error instanceof HttpException known ? known.getStatusCode() : 400;
    String message = error instanceof HttpException known ? known.getPayload() : error.getMessage();
    context.response().setStatusCode(status);
    context.json(new JsonObject().put("error", message));
  }

  /// Waits for feedback, trains for one epoch on all that is there, which saves a checkpoint, and
  /// predicts with the new weights from then on.
  void learn() throws InterruptedException {
    List<Batch> batches = new ArrayList<>(List.of(feedback.take()));
    feedback.drainTo(batches);
    trainer.fit(DataLoader.of(Batch.concatenate(batches), 32), trainer.epochs() + 1);
    model.load(network.state());
  }
}
