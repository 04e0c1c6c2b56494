// SPDX-License-Identifier: Apache-2.0
package web;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
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
import dev.tensorbus.web.ModelHandler;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
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

  /// Starts the server. It keeps running after the training, until the process is stopped. Once a
  /// second, it answers with newer weights.
  private static void serve(Sequential network, int port) {
    Vertx vertx = Vertx.vertx();
    ModelHandler model = ModelHandler.create(create(), Shape.of(784)).setAnswer(Web::digit);
    vertx.setPeriodic(1000, timer -> model.load(network.state()));
    Router router = Router.router(vertx);
    router.post("/digit").handler(model);
    vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1").await();
    System.out.printf("curl -d '{\"instances\": [[…]]}' http://127.0.0.1:%d/digit%n", port);
  }

  private static JsonObject digit(Tensor scores) {
    int digit = (int) scores.argmax(0).longs()[0];
    float probability = scores.softmax(0).values()[digit];
    return new JsonObject().put("digit", digit).put("probability", probability);
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
