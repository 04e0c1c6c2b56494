// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;

/// The benchmarks of networks and kernels alone.
public final class KernelBenchmarks {
  public static final Benchmark GEMM = new KernelBenchmark("gemm", GemmBench.class);
  public static final Benchmark CONVNET = new KernelBenchmark("convnet", ConvNetBench.class);
  public static final Benchmark LSTM = new KernelBenchmark("lstm", LstmBench.class);
  public static final Benchmark TRANSFORMER =
      new KernelBenchmark("transformer", TransformerBench.class);
  public static final Benchmark RESNET = new KernelBenchmark("resnet", ResNetBench.class);
  public static final Benchmark MEMORY = new KernelBenchmark("memory", MemoryBench.class);

  private KernelBenchmarks() {}
}
