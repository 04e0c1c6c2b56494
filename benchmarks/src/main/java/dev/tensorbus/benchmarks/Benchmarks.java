// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.chaos.ChaosBench;
import dev.tensorbus.benchmarks.grpc.GrpcBench;
import dev.tensorbus.benchmarks.grpc.GrpcSoak;
import dev.tensorbus.benchmarks.idle.IdleBench;
import dev.tensorbus.benchmarks.kernel.KernelBenchmarks;
import dev.tensorbus.benchmarks.lane.LaneBench;
import dev.tensorbus.benchmarks.lane.SoakBench;
import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.observability.ObservabilityBench;
import dev.tensorbus.benchmarks.observability.ScrapeBench;
import dev.tensorbus.benchmarks.ops.OpsBench;
import dev.tensorbus.benchmarks.rpc.RpcBench;
import dev.tensorbus.benchmarks.training.BatchBench;
import dev.tensorbus.benchmarks.training.CartPoleBench;
import dev.tensorbus.benchmarks.training.EmbeddingBench;
import dev.tensorbus.benchmarks.training.MnistBench;
import dev.tensorbus.benchmarks.training.RnnBench;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The benchmarks that `tensorbus bench` knows.
final class Benchmarks {
  /// The workloads of several workers.
  static final List<Program> PROGRAMS =
      List.of(
          MnistBench.PROGRAM,
          RpcBench.PROGRAM,
          BatchBench.PROGRAM,
          CartPoleBench.PROGRAM,
          RnnBench.PROGRAM,
          EmbeddingBench.PROGRAM,
          GrpcBench.PROGRAM,
          GrpcSoak.PROGRAM,
          LaneBench.PROGRAM,
          IdleBench.PROGRAM,
          ObservabilityBench.PROGRAM,
          ScrapeBench.PROGRAM,
          SoakBench.PROGRAM);

  static final List<Benchmark> ALL =
      List.of(
          new WorldBenchmark(MnistBench.PROGRAM),
          KernelBenchmarks.GEMM,
          KernelBenchmarks.CONVNET,
          KernelBenchmarks.LSTM,
          new WorldBenchmark(RpcBench.PROGRAM),
          new WorldBenchmark(BatchBench.PROGRAM, BatchBench.WORLDS),
          new WorldBenchmark(CartPoleBench.PROGRAM),
          new WorldBenchmark(RnnBench.PROGRAM, RnnBench.WORLDS),
          new WorldBenchmark(GrpcBench.PROGRAM));

  /// Measured only when they are named: they take from one minute to half an hour.
  private static final List<Benchmark> LONG =
      List.of(
          new WorldBenchmark(GrpcSoak.PROGRAM),
          new OpsBench(),
          KernelBenchmarks.TRANSFORMER,
          KernelBenchmarks.RESNET,
          KernelBenchmarks.MEMORY,
          new WorldBenchmark(EmbeddingBench.PROGRAM),
          new WorldBenchmark(LaneBench.PROGRAM, LaneBench.WORLDS),
          new WorldBenchmark(IdleBench.PROGRAM, IdleBench.WORLDS),
          new WatchedBenchmark(),
          new WorldBenchmark(ScrapeBench.PROGRAM, ScrapeBench.WORLDS),
          new WorldBenchmark(SoakBench.PROGRAM, SoakBench.WORLDS),
          new ChaosBench());

  private Benchmarks() {}

  /// @throws UsageException if there is none of this name
  static Benchmark named(String name) {
    return everything()
        .filter(benchmark -> benchmark.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown benchmark \"%s\"; known benchmarks: %s".formatted(name, names())));
  }

  private static String names() {
    return everything().map(Benchmark::name).collect(Collectors.joining(", "));
  }

  private static Stream<Benchmark> everything() {
    return Stream.concat(ALL.stream(), LONG.stream());
  }
}
