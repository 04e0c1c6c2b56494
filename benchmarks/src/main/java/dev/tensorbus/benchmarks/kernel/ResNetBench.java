// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.worker.Startup;
import java.util.SplittableRandom;

/// Measures a training step of a ResNet-18 on images of CIFAR's shape.
public final class ResNetBench {
  private static final int WARMUP_STEPS = 10;
  private static final int STEPS = 15;
  private static final int BATCH = 32;
  private static final int CLASSES = 10;

  private ResNetBench() {}

  /// Prints the figure for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    SplittableRandom random = new SplittableRandom(1);
    ResNet net = new ResNet(ResNetOptions.resnet18(CLASSES).forSmallImages(), random);
    Optimizer optimizer = new Sgd(0.01).withMomentum(0.9).over(net.parameters());
    Tensor images = Tensor.randn(random, BATCH, 3, 32, 32);
    Tensor labels = Tensor.of(random.longs(BATCH, 0, CLASSES).toArray());
    Times times = Times.of(WARMUP_STEPS, STEPS, () -> step(net, optimizer, images, labels));
    String figure = "resnet18.step.batch" + BATCH + KernelBenchmark.suffix();
    IO.println(new Figure(figure, times.median() * 1e3, "ms"));
  }

  private static void step(ResNet net, Optimizer optimizer, Tensor images, Tensor labels) {
    Tensor loss = Losses.crossEntropy(net.forward(images), labels);
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
  }
}
