// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.rpc.Rpc;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.function.Supplier;

/// All metrics of one worker. Calls are recorded when they end; all other values are read during a
/// scrape.
public final class WorkerMeters implements AutoCloseable {
  private final Rpc rpc;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final ServerMeters server;

  /// The result of [Rpc#debugInfo] for the current scrape. All metrics share it, because every
  /// invocation of that method counts everything again.
  private volatile Map<String, Long> info;

  WorkerMeters(Rpc rpc, CountedProgress progress) {
    this.rpc = rpc;
    info = rpc.debugInfo();
    registry.config().commonTags("worker", rpc.self().name());
    progress.bindTo(registry);
    bind(rpc, () -> info, registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    gc.bindTo(registry);
    server = new ServerMeters(registry);
  }

  /// Adds the metrics of a worker and of its training to an application's registry.
  public static void bindTo(MeterRegistry registry, Rpc rpc) {
    CountedProgress progress = new CountedProgress();
    rpc.onProgress(progress);
    progress.bindTo(registry);
    bind(rpc, rpc::debugInfo, registry);
  }

  private static void bind(Rpc rpc, Supplier<Map<String, Long>> info, MeterRegistry registry) {
    rpc.onCallEnded(new CallMeters(registry));
    Gauge.builder("tensorbus.world.size", rpc::worldSize)
        .description("Workers in the complete world")
        .register(registry);
    Gauge.builder("tensorbus.world.workers", () -> rpc.workers().size())
        .description("Workers currently known to this worker, itself included")
        .register(registry);
    for (String name : info.get().keySet()) {
      Gauge.builder("tensorbus." + name, () -> info.get().getOrDefault(name, 0L))
          .description(name + " of Rpc.debugInfo")
          .register(registry);
    }
    for (String way : rpc.sentBytes().keySet()) {
      FunctionCounter.builder("tensorbus.sent", rpc, it -> it.sentBytes().getOrDefault(way, 0L))
          .description("Bytes sent by the worker")
          .baseUnit("bytes")
          .tag("way", way)
          .register(registry);
    }
  }

  /// Returns all metrics in the text format of Prometheus. Takes milliseconds; must not be called
  /// on an event loop.
  String scrape() {
    info = rpc.debugInfo();
    server.update(ParameterServer.statusOf(rpc));
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
