// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.verticles.worker.Startup;
import java.util.SplittableRandom;

/// Measures forward and backward passes of the language model's LSTM, with as many runs as the
/// PyTorch benchmark.
public final class LstmBench {
  private static final int WARMUP_STEPS = 10;
  private static final int REPEATS = 30;
  private static final int STEPS = 35;
  private static final int BATCH = 20;
  private static final int HIDDEN = 200;
  private static final int LAYERS = 2;

  private LstmBench() {}

  /// Prints the figure for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    SplittableRandom random = new SplittableRandom(1);
    Lstm lstm = new Lstm(HIDDEN, HIDDEN, LAYERS, random);
    Tensor x = Tensor.randn(random, STEPS, BATCH, HIDDEN);
    Times times = Times.of(WARMUP_STEPS, REPEATS, () -> step(lstm, x));
    String name = "lstm.%dx%dx%dx%d".formatted(STEPS, BATCH, HIDDEN, LAYERS);
    IO.println(new Figure(name + KernelBenchmark.suffix(), times.median() * 1e3, "ms"));
  }

  private static void step(Lstm lstm, Tensor x) {
    lstm.parameters().forEach(Tensor::zeroGrad);
    lstm.forward(x).sequence().sum().backward();
  }
}
