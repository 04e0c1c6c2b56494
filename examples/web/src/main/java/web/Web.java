// SPDX-License-Identifier: Apache-2.0
package web;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Random;

/// Worker 0 holds the network and answers HTTP requests with it while the other workers train it.
public final class Web {
  @Remote // other workers may call it
  static Sequential network() {
    return Rpc.current().shared(Sequential.class, Web::create);
  }

  private static Sequential create() {
    var random = new Random(1);
    return new Sequential(
        new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
  }

  public static void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Rpc.run(
        rpc -> {
          if (rpc.self().id() == 0) {
            serve(rpc.shared(Sequential.class, Web::create), port);
          } else {
            train(rpc);
          }
        });
  }

  /// Starts the server. It keeps running after the training, until the process is stopped.
  private static void serve(Sequential network, int port) {
    Vertx vertx = Vertx.vertx();
    Router router = Router.router(vertx);
    router
        .post("/digit")
        .handler(BodyHandler.create(false))
        .blockingHandler(request -> answer(network, request), false);
    vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1").await();
    System.out.printf(
        "curl -H content-type:application/json -d [784 numbers] http://127.0.0.1:%d/digit%n", port);
  }

  /// Answers a request. Only this computation is in evaluation mode; concurrent training is not.
  private static void answer(Sequential network, RoutingContext request) {
    Tensor image;
    try {
      image = Tensor.of(Shape.of(1, 1, 28, 28), pixels(request.body().asJsonArray()));
    } catch (ShapeException | ClassCastException | DecodeException | NullPointerException e) {
      request.response().setStatusCode(400).end("expected a JSON array of 784 numbers");
      return;
    }
    Tensor scores = Evaluation.call(() -> network.forward(image).softmax(1));
    int digit = (int) scores.argmax(1).longs()[0];
    request.json(new JsonObject().put("digit", digit).put("probability", scores.values()[digit]));
  }

  private static float[] pixels(JsonArray numbers) {
    float[] pixels = new float[numbers.size()];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = numbers.getFloat(i);
    }
    return pixels;
  }

  private static void train(Rpc rpc) {
    var digits =
        DataLoader.of(StrokeDigits.draw(8000, new Random(1)), 32, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id() - 1, rpc.workers().size() - 1);
    var network = new RemoteLayer<>(rpc.remote("worker0", Web::network));
    Trainer.of(rpc, network, new Adam(0.001), new CrossEntropyLoss()).fit(digits, 5);
  }
}
