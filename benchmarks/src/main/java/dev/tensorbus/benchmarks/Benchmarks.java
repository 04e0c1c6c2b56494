// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.chaos.ChaosBench;
import dev.tensorbus.benchmarks.grpc.GrpcBench;
import dev.tensorbus.benchmarks.grpc.GrpcSoak;
import dev.tensorbus.benchmarks.idle.IdleBench;
import dev.tensorbus.benchmarks.kernel.CompiledBench;
import dev.tensorbus.benchmarks.kernel.KernelBenchmarks;
import dev.tensorbus.benchmarks.lane.LaneBench;
import dev.tensorbus.benchmarks.lane.SoakBench;
import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.observability.ObservabilityBench;
import dev.tensorbus.benchmarks.observability.ScrapeBench;
import dev.tensorbus.benchmarks.ops.OpsBench;
import dev.tensorbus.benchmarks.rpc.RpcBench;
import dev.tensorbus.benchmarks.server.ElasticBench;
import dev.tensorbus.benchmarks.server.GoodputBench;
import dev.tensorbus.benchmarks.server.LocalStepsBench;
import dev.tensorbus.benchmarks.server.ReplicationBench;
import dev.tensorbus.benchmarks.server.StragglerBench;
import dev.tensorbus.benchmarks.server.SurviveBench;
import dev.tensorbus.benchmarks.serving.ServingBench;
import dev.tensorbus.benchmarks.simulation.SimulationBench;
import dev.tensorbus.benchmarks.training.BatchBench;
import dev.tensorbus.benchmarks.training.CartPoleBench;
import dev.tensorbus.benchmarks.training.EmbeddingBench;
import dev.tensorbus.benchmarks.training.MnistBench;
import dev.tensorbus.benchmarks.training.RnnBench;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The benchmarks of `tensorbus bench`.
final class Benchmarks {
  /// The programs of all benchmarks that run several workers.
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

  /// The name that selects all short benchmarks.
  static final String ALL = "all";

  private static final List<Benchmark> SHORT =
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

  /// Benchmarks that take one minute to half an hour each; not part of [#ALL].
  private static final List<Benchmark> LONG =
      List.of(
          new WorldBenchmark(GrpcSoak.PROGRAM),
          new OpsBench(),
          KernelBenchmarks.TRANSFORMER,
          KernelBenchmarks.RESNET,
          new CompiledBench(),
          KernelBenchmarks.MEMORY,
          ServingBench.BENCHMARK,
          new WorldBenchmark(EmbeddingBench.PROGRAM),
          new WorldBenchmark(LaneBench.PROGRAM, LaneBench.WORLDS),
          new TlsBench(),
          new WorldBenchmark(IdleBench.PROGRAM, IdleBench.WORLDS),
          new WatchedBenchmark(),
          new WorldBenchmark(ScrapeBench.PROGRAM, ScrapeBench.WORLDS),
          new WorldBenchmark(SoakBench.PROGRAM, SoakBench.WORLDS),
          new SimulationBench(),
          new StragglerBench(),
          new ReplicationBench(),
          new LocalStepsBench(),
          new SurviveBench(),
          new GoodputBench(),
          new ElasticBench(),
          new ChaosBench());

  private Benchmarks() {}

  /// Returns the benchmark with this name, or all short ones for [#ALL].
  ///
  /// @throws UsageException if no benchmark has this name
  static List<Benchmark> named(String name) {
    List<Benchmark> named =
        name.equals(ALL)
            ? SHORT
            : everything().filter(benchmark -> benchmark.name().equals(name)).toList();
    if (named.isEmpty()) {
      throw new UsageException(
          "unknown benchmark \"%s\"; known benchmarks: %s".formatted(name, names()));
    }
    return named;
  }

  /// Returns all names, for an error message.
  private static String names() {
    return everything().map(Benchmark::name).collect(Collectors.joining(", ")) + " and " + ALL;
  }

  /// Returns a line with name and summary for each benchmark, for the help text.
  static List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("", "Names:"));
    SHORT.forEach(benchmark -> lines.add(line(benchmark.name(), benchmark.summary())));
    lines.add(line(ALL, "all of the above"));
    lines.addAll(List.of("", "Long benchmarks, not part of " + ALL + ":"));
    LONG.forEach(benchmark -> lines.add(line(benchmark.name(), benchmark.summary())));
    return lines;
  }

  private static String line(String name, String summary) {
    return "  %-13s  %s".formatted(name, summary);
  }

  private static Stream<Benchmark> everything() {
    return Stream.concat(SHORT.stream(), LONG.stream());
  }
}
