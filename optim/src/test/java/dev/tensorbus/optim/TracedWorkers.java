// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static java.util.stream.Collectors.toMap;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Workers in memory whose spans all come together.
public final class TracedWorkers implements AutoCloseable {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider spans =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final List<Vertx> hosts = new ArrayList<>();
  private final List<Rpc> workers;

  /// Opens `worker0`, `worker1` and so on.
  public TracedWorkers(int size) {
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(spans)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    MemoryCluster cluster = new MemoryCluster();
    for (int rank = 0; rank < size; rank++) {
      hosts.add(
          Vertx.builder()
              .withTracer(new OpenTelemetryTracingFactory(telemetry))
              .withClusterManager(cluster.manager())
              .buildClustered()
              .await());
    }
    workers =
        Future.all(IntStream.range(0, size).mapToObj(rank -> open(rank, size)).toList())
            .await()
            .list();
    workers.forEach(worker -> worker.ready().await());
  }

  private Future<Rpc> open(int rank, int size) {
    RpcOptions options = RpcOptions.worldSize(size).withRank(rank);
    return Rpc.open(hosts.get(rank), "worker" + rank, options);
  }

  /// Returns the worker with this rank.
  public Rpc worker(int rank) {
    return workers.get(rank);
  }

  /// Returns the spans of the last trace with this root, each as `parent > name`. The root must
  /// have ended last.
  public List<String> namesWithParents(String root) {
    List<SpanData> all = exporter.getFinishedSpanItems();
    String trace =
        all.reversed().stream()
            .filter(span -> span.getName().equals(root))
            .findFirst()
            .orElseThrow()
            .getTraceId();
    Map<String, String> names = all.stream().collect(toMap(SpanData::getSpanId, SpanData::getName));
    return all.stream()
        .filter(span -> span.getTraceId().equals(trace))
        .map(span -> names.get(span.getParentSpanId()) + " > " + span.getName())
        .toList();
  }

  @Override
  public void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
    hosts.forEach(host -> host.close().await());
  }
}
