// SPDX-License-Identifier: Apache-2.0
package cnn;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.Summary;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.pooling.MaxPool2d;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.Random;

/// Worker 0 holds a convolutional network. The other workers train it, each on its share of the
/// digits.
public final class Cnn {
  static Sequential create() {
    var random = new Random(1);
    return new Sequential(
        new Conv2d(1, 16, 3, random),
        new Relu(),
        new MaxPool2d(2),
        new Conv2d(16, 32, 3, random),
        new Relu(),
        new MaxPool2d(2),
        new Flatten(),
        new Dropout(0.25f, random),
        new Linear(800, 10, random));
  }

  @Remote // other workers may call it
  static Sequential network() {
    return Rpc.current().shared(Sequential.class, Cnn::create);
  }

  public static void main(String[] args) {
    Rpc.run(
        rpc -> {
          if (rpc.self().id() > 0) {
            train(rpc);
          } else {
            System.out.println(Summary.of(create()));
          }
        });
  }

  private static void train(Rpc rpc) {
    var training =
        DataLoader.of(StrokeDigits.draw(8000, new Random(1)), 32, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id() - 1, rpc.workers().size() - 1);
    var test = DataLoader.of(StrokeDigits.draw(1000, new Random(2)), 100, Batch::of);
    var network = new RemoteLayer<>(rpc.remote("worker0", Cnn::network));
    Trainer.of(rpc, network, new Adam(0.001), new CrossEntropyLoss())
        .withMetric(new Accuracy())
        .fit(training, test, 2); // logs a line per epoch
  }
}
