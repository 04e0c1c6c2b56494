// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import java.util.List;
import java.util.stream.Collectors;

/// What `tensorbus bench` knows.
final class Benchmarks {
  /// The workloads of several workers.
  static final List<Program> PROGRAMS =
      List.of(
          MnistBench.PROGRAM,
          RpcBench.PROGRAM,
          BatchBench.PROGRAM,
          CartPoleBench.PROGRAM,
          RnnBench.PROGRAM);

  static final List<Benchmark> ALL =
      List.of(
          new WorldBenchmark(MnistBench.PROGRAM),
          new KernelBenchmark("gemm", GemmBench.class),
          new KernelBenchmark("convnet", ConvNetBench.class),
          new KernelBenchmark("lstm", LstmBench.class),
          new WorldBenchmark(RpcBench.PROGRAM),
          new WorldBenchmark(BatchBench.PROGRAM, BatchBench.WORLDS),
          new WorldBenchmark(CartPoleBench.PROGRAM),
          new WorldBenchmark(RnnBench.PROGRAM, RnnBench.WORLDS));

  private Benchmarks() {}

  /// @throws UsageException if there is none of this name
  static Benchmark named(String name) {
    return ALL.stream()
        .filter(benchmark -> benchmark.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown benchmark \"%s\"; known benchmarks: %s".formatted(name, names())));
  }

  private static String names() {
    return ALL.stream().map(Benchmark::name).collect(Collectors.joining(", "));
  }
}
