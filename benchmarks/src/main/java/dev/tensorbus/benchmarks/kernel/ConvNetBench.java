// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import static dev.tensorbus.nn.functional.Losses.nllLoss;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Accelerated;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.worker.Startup;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Measures training steps and inference of the MNIST network without workers, with as many runs as
/// the PyTorch benchmark. Repeats this with forward passes by ONNX Runtime, on the CPU and, if ONNX
/// Runtime can use one, on a GPU.
public final class ConvNetBench {
  private static final int WARMUP_STEPS = 20;
  private static final int STEPS = 60;
  private static final int BATCH = 32;
  private static final int CLASSES = 10;
  private static final int INFERENCES = 5;
  private static final int INFERENCE_BATCH = 1000;

  private final String name;
  private final SplittableRandom random = new SplittableRandom(1);
  private final MnistNet net;
  private final UnaryOperator<Tensor> forwardPass;
  private final Optimizer optimizer;

  private final Tensor images = images(BATCH);
  private final Tensor labels = Tensor.of(random.longs(BATCH, 0, CLASSES).toArray());

  private final Times forward = new Times(STEPS);
  private final Times backward = new Times(STEPS);
  private final Times total = new Times(STEPS);

  private ConvNetBench(String name, Function<MnistNet, UnaryOperator<Tensor>> forwardPass) {
    this.name = name;
    this.net = new MnistNet(random);
    this.optimizer = new Sgd(0.03f).over(net.parameters());
    this.forwardPass = forwardPass.apply(net);
  }

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    new ConvNetBench("convnet", net -> net::forward).run();
    new ConvNetBench("convnet.onnx", net -> onnx(net, Device.CPU)::forward).run();
    if (Device.cuda(0).isAvailable()) {
      new ConvNetBench("convnet.cuda", net -> onnx(net, Device.cuda(0))::forward).run();
    }
  }

  private static Accelerated onnx(MnistNet net, Device device) {
    return Accelerated.of(net, net::forward, device);
  }

  private void run() {
    train();
    infer();
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
    Tensor loss = nllLoss(forwardPass.apply(images), labels);
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
    Times times =
        NoGrad.call(() -> Times.of(1, INFERENCES, () -> requireClasses(forwardPass.apply(many))));
    String figure = name + ".inference.batch" + INFERENCE_BATCH + KernelBenchmark.suffix();
    IO.println(new Figure(figure, INFERENCE_BATCH / times.median(), "images/s"));
  }

  private static void requireClasses(Tensor result) {
    if (result.shape().size(-1) != CLASSES) {
      throw new IllegalStateException("not log-probabilities of the classes: " + result.shape());
    }
  }

  private Tensor images(int count) {
    return Tensor.randn(random, count, 1, 28, 28);
  }

  private void report(String part, Times times) {
    String figure = name + "." + part + ".batch" + BATCH + KernelBenchmark.suffix();
    IO.println(new Figure(figure, times.median() * 1e3, "ms"));
  }
}
