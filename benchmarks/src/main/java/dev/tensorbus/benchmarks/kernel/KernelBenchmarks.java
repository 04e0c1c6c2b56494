// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;

/// The benchmarks of networks and kernels, without workers.
public final class KernelBenchmarks {
  public static final Benchmark GEMM =
      new KernelBenchmark("gemm", "products of square matrices", GemmBench.class);
  public static final Benchmark CONVNET =
      new KernelBenchmark(
          "convnet",
          "the MNIST network without workers, also with ONNX Runtime",
          ConvNetBench.class);
  public static final Benchmark LSTM =
      new KernelBenchmark("lstm", "the language model's LSTM without workers", LstmBench.class);
  public static final Benchmark TRANSFORMER =
      new KernelBenchmark(
          "transformer", "training steps of a small GPT, for four minutes", TransformerBench.class);
  public static final Benchmark RESNET =
      new KernelBenchmark(
          "resnet", "training steps of a ResNet-18, for two minutes", ResNetBench.class);
  public static final Benchmark MEMORY =
      new KernelBenchmark(
          "memory",
          "memory allocated and retained by a training step, for a minute",
          MemoryBench.class);

  private KernelBenchmarks() {}
}
