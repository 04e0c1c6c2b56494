// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import static dev.tensorbus.autograd.Losses.nllLoss;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.command.Startup;
import java.util.SplittableRandom;

/// The MNIST program's network alone: steps of training and inference, as often as on PyTorch.
final class ConvNetBench {
  private static final int WARMUP_STEPS = 20;
  private static final int STEPS = 60;
  private static final int BATCH = 32;
  private static final int INFERENCES = 5;
  private static final int INFERENCE_BATCH = 1000;

  private final SplittableRandom random = new SplittableRandom(1);
  private final MnistNet net = new MnistNet(random);
  private final Optimizer optimizer = new Sgd(0.03f).over(net.parameters());

  private final Tensor images = images(BATCH);
  private final int[] labels = random.ints(BATCH, 0, 10).toArray();

  private final Times forward = new Times(STEPS);
  private final Times backward = new Times(STEPS);
  private final Times total = new Times(STEPS);

  private ConvNetBench() {}

  /// Prints the figures of this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    ConvNetBench bench = new ConvNetBench();
    bench.train();
    bench.infer();
  }

  private void train() {
    Times.warmUp(WARMUP_STEPS, Times.COMPILATION, () -> step(false));
    for (int step = 0; step < STEPS; step++) {
      step(true);
    }
    report("forward", forward);
    report("backward", backward);
    report("step", total);
  }

  private void step(boolean counts) {
    long start = System.nanoTime();
    Tensor loss = nllLoss(net.forward(images), labels);
    long forwardEnd = System.nanoTime();
    optimizer.zeroGrad();
    loss.backward();
    long backwardEnd = System.nanoTime();
    optimizer.step();
    long end = System.nanoTime();
    if (counts) {
      forward.add(forwardEnd - start);
      backward.add(backwardEnd - forwardEnd);
      total.add(end - start);
    }
  }

  private void infer() {
    net.eval();
    Tensor many = images(INFERENCE_BATCH);
    Times times = NoGrad.call(() -> Times.of(1, INFERENCES, () -> net.forward(many)));
    String name = "convnet.inference.batch" + INFERENCE_BATCH + KernelBenchmark.suffix();
    IO.println(new Figure(name, INFERENCE_BATCH / times.median(), "images/s"));
  }

  private Tensor images(int count) {
    return Tensor.randn(random, count, 1, 28, 28);
  }

  private static void report(String part, Times times) {
    String name = "convnet." + part + ".batch" + BATCH + KernelBenchmark.suffix();
    IO.println(new Figure(name, times.median() * 1e3, "ms"));
  }
}
