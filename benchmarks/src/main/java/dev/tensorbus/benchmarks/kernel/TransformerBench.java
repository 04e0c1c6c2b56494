// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.worker.Startup;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Measures a training step of a small GPT and its operations, with as many runs as the PyTorch
/// benchmark.
public final class TransformerBench {
  private static final int BATCH = 16;
  private static final int PLACES = 128;
  private static final int VOCABULARY = 65;
  private static final int ROWS = 2048;
  private static final int COLUMNS = 1024;

  private final SplittableRandom random = new SplittableRandom(1);

  private TransformerBench() {}

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    TransformerBench bench = new TransformerBench();
    bench.step();
    bench.rows();
    bench.products();
    bench.update("sgd_momentum", new Sgd(0.01).withMomentum(0.9));
    bench.update("adam", new Adam(0.001));
  }

  private static void say(String name, Times times, boolean inMillis) {
    String figure = "transformer." + name + KernelBenchmark.suffix();
    double seconds = times.median();
    IO.println(
        inMillis
            ? new Figure(figure, seconds * 1e3, "ms")
            : new Figure(figure, seconds * 1e6, "us"));
  }

  private void step() {
    SmallGpt gpt = new SmallGpt(VOCABULARY, PLACES, random);
    Optimizer optimizer = new AdamW(3e-4).over(gpt.parameters());
    long[] tokens = random.longs((long) BATCH * PLACES, 0, VOCABULARY).toArray();
    Tensor next = Tensor.of(random.longs((long) BATCH * PLACES, 0, VOCABULARY).toArray());
    Tensor text = Tensor.ofLongs(tokens).reshape(BATCH, PLACES);
    Runnable step =
        () -> {
          optimizer.zeroGrad();
          Tensor scores = gpt.forward(text).reshape(BATCH * PLACES, VOCABULARY);
          Losses.crossEntropy(scores, next).backward();
          optimizer.step();
        };
    say("gpt_step", Times.of(5, 20, step), true);
  }

  private void rows() {
    Tensor rows = Tensor.parameterOf(Tensor.randn(random, ROWS, COLUMNS));
    Tensor weight = Tensor.parameterOf(Tensor.ones(COLUMNS));
    Tensor bias = Tensor.parameterOf(Tensor.zeros(COLUMNS));
    double epsilon = Normalizations.EPSILON;
    both("softmax", () -> rows.softmax(1));
    both("layer_norm", () -> Normalizations.layerNorm(rows, weight, bias, epsilon));
    both("gelu", rows::gelu);
    both("exp", rows::exp);
    both("tanh", rows::tanh);
    both("add_row", () -> rows.add(weight));
    both("sum_columns", () -> rows.sum(0).expand(ROWS, COLUMNS));
    both("transpose", () -> rows.transpose(0, 1));
  }

  /// Measures an operation's forward pass, and its forward and backward passes together. Gradients
  /// accumulate over the runs, as in the PyTorch benchmark.
  private void both(String name, Supplier<Tensor> operation) {
    String size = "%s.%dx%d.".formatted(name, ROWS, COLUMNS);
    Tensor[] result = {operation.get()};
    Tensor upstream = Tensor.randn(random, result[0].shape().toArray());
    say(size + "forward", times(() -> result[0] = operation.get()), false);
    Runnable pass = () -> Backward.from(operation.get(), upstream).run();
    say(size + "both", times(pass), false);
  }

  private void products() {
    Tensor q = Tensor.randn(random, 16, 8, 128, 32);
    say("batched_matmul.16x8x128x32", times(() -> q.matmul(q.transpose(2, 3))), false);
    Tensor tall = Tensor.randn(random, 4096, 64);
    Tensor square = Tensor.randn(random, 64, 64);
    say("tall_matmul.4096x64x64", times(() -> tall.matmul(square)), false);
  }

  private static Times times(Runnable body) {
    return Times.of(10, 40, body);
  }

  private void update(String name, OptimizerSpec spec) {
    Tensor parameter = Tensor.parameterOf(Tensor.randn(random, 10_000_000));
    Tensor gradient = Tensor.randn(random, 10_000_000);
    Optimizer optimizer = spec.over(List.of(parameter));
    say(name + ".10M", Times.of(3, 15, () -> optimizer.step(_ -> gradient)), true);
  }
}
