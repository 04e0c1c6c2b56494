// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import com.sun.management.ThreadMXBean;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.worker.Startup;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Measures the memory of a training step: the bytes that it allocates, and the bytes that its
/// forward pass retains for the backward pass. Figures are medians, in MB.
public final class MemoryBench {
  private static final int WARMUP_STEPS = 40;
  private static final int STEPS = 11;
  private static final double MB = 1e6;

  private final String name;
  private final Supplier<Tensor> loss;
  private final Optimizer optimizer;

  private MemoryBench(String name, Layer layer, OptimizerSpec spec, Supplier<Tensor> loss) {
    this.name = name;
    this.loss = loss;
    this.optimizer = spec.over(layer.parameters());
  }

  /// Prints the figures of each network.
  public static void main(String[] arguments) {
    Startup.begin();
    SplittableRandom random = new SplittableRandom(1);
    convNet(random).run();
    lstm(random).run();
    gpt(random).run();
    residualBlock(random).run();
  }

  private static MemoryBench convNet(SplittableRandom random) {
    MnistNet net = new MnistNet(random);
    Tensor images = Tensor.randn(random, 32, 1, 28, 28);
    Tensor labels = Tensor.of(random.longs(32, 0, 10).toArray());
    return new MemoryBench(
        "convnet.batch32", net, new Sgd(0.03), () -> Losses.nllLoss(net.forward(images), labels));
  }

  private static MemoryBench lstm(SplittableRandom random) {
    Lstm lstm = new Lstm(200, 200, 2, random);
    Tensor x = Tensor.randn(random, 35, 20, 200);
    return new MemoryBench(
        "lstm.35x20x200x2", lstm, new Sgd(1e-4), () -> lstm.forward(x).sequence().sum());
  }

  private static MemoryBench gpt(SplittableRandom random) {
    SmallGpt gpt = new SmallGpt(65, 128, random);
    Tensor text = Tensor.ofLongs(random.longs(16 * 128, 0, 65).toArray()).reshape(16, 128);
    Tensor next = Tensor.of(random.longs(16 * 128, 0, 65).toArray());
    return new MemoryBench(
        "gpt.16x128x256",
        gpt,
        new AdamW(3e-4),
        () -> Losses.crossEntropy(gpt.forward(text).reshape(16 * 128, 65), next));
  }

  private static MemoryBench residualBlock(SplittableRandom random) {
    ResidualBlock block = new ResidualBlock(random);
    Tensor x = Tensor.parameterOf(Tensor.randn(random, 16, 64, 28, 28));
    return new MemoryBench(
        "resblock.16x64x28",
        block,
        new Sgd(1e-4),
        () -> {
          x.zeroGrad();
          return block.forward(x).sum();
        });
  }

  private void run() {
    Times.warmUp(WARMUP_STEPS, Times.COMPILATION, this::step);
    say("allocated", this::allocated);
    say("kept", this::kept);
  }

  private void say(String part, LongSupplier measure) {
    long[] bytes = new long[STEPS];
    Arrays.setAll(bytes, _ -> measure.getAsLong());
    Arrays.sort(bytes);
    String figure = "memory." + name + "." + part + KernelBenchmark.suffix();
    IO.println(new Figure(figure, bytes[STEPS / 2] / MB, "MB"));
  }

  private long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getTotalThreadAllocatedBytes();
    step();
    return threads.getTotalThreadAllocatedBytes() - before;
  }

  private void step() {
    Tensor result = loss.get();
    optimizer.zeroGrad();
    result.backward();
    optimizer.step();
  }

  private long kept() {
    optimizer.zeroGrad();
    long before = used();
    Tensor result = loss.get();
    try {
      return used() - before;
    } finally {
      Reference.reachabilityFence(result);
    }
  }

  /// Collects garbage and returns the size of the remaining objects in bytes.
  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
