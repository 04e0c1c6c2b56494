// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.observability.ObservabilityBench;
import dev.tensorbus.benchmarks.observability.SpanSink;
import io.vertx.core.json.JsonObject;
import java.io.IOException;

/// Runs the worlds of [ObservabilityBench], with the collector of their spans in this JVM.
final class WatchedBenchmark implements Benchmark {
  WatchedBenchmark() {}

  private static WorldBenchmark worlds(String collector) {
    return new WorldBenchmark(ObservabilityBench.PROGRAM, ObservabilityBench.worlds(collector));
  }

  @Override
  public String name() {
    return ObservabilityBench.PROGRAM.name();
  }

  @Override
  public String summary() {
    return ObservabilityBench.PROGRAM.summary();
  }

  @Override
  public void check(JsonObject given) {
    worlds("http://127.0.0.1:4318").check(given);
  }

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    try (SpanSink sink = new SpanSink()) {
      return worlds(sink.url()).run(given);
    }
  }
}
