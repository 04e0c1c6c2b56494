// SPDX-License-Identifier: Apache-2.0
package onnx;

import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.pooling.MaxPool2d;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.metric.Accuracy;
import java.util.Random;

/// Trains a network on a device: `cpu`, or a GPU such as `cuda:0`. Without one, in Java.
public final class Train {
  public static void main(String[] args) {
    var random = new Random(1);
    var network =
        new Sequential(
            new Conv2d(1, 16, 3, random),
            new Relu(),
            new MaxPool2d(2),
            new Flatten(),
            new Linear(16 * 13 * 13, 10, random));
    var digits = DataLoader.of(StrokeDigits.draw(4000, new Random(2)), 32, Batch::of).shuffled(1);
    var test = DataLoader.of(StrokeDigits.draw(1000, new Random(3)), 100, Batch::of);
    var trainer =
        Trainer.of(network, new Adam(0.001), new CrossEntropyLoss()).withMetric(new Accuracy());
    if (args.length > 0) {
      trainer.compiled(Device.of(args[0]));
    }
    trainer.fit(digits, test, 2); // logs a line per epoch
  }
}
