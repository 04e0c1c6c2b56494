// SPDX-License-Identifier: Apache-2.0
package service;

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
import dev.tensorbus.web.FeedbackHandler;
import dev.tensorbus.web.ModelHandler;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.healthchecks.HealthCheckHandler;
import java.nio.file.Path;
import java.util.Random;

/// Predicts handwritten digits, and learns from the digits that its callers tell it.
final class Service {
  private static final Shape PIXELS = Shape.of(784);

  private final Rpc rpc;
  private final Sequential network = network();
  private final ModelHandler model =
      ModelHandler.create(network(), PIXELS).setAnswer(Service::digit);
  private final FeedbackHandler feedback = FeedbackHandler.create(PIXELS, 10);
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
    router.post("/feedback").handler(feedback);
    Handler<HttpServerRequest> page = ObservedWorker.page(rpc, "/page");
    router.route("/page/*").handler(context -> page.handle(context.request()));
    HealthCheckHandler health = HealthCheckHandler.create(rpc.vertx());
    router.get("/health").handler(health.register("worker", ObservedWorker.health(rpc)));
    return router;
  }

  /// Waits for feedback, trains for one epoch on all that is there, which saves a checkpoint, and
  /// predicts with the new weights from then on.
  void learn() {
    trainer.fit(DataLoader.of(feedback.take(), 32), trainer.epochs() + 1);
    model.load(network.state());
  }
}
