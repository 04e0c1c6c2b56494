// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.vertx.core.Vertx;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.util.ArrayList;
import java.util.List;

/// Workers in memory, each on a Vertx of its own with a tracer, whose spans all come together.
final class TracedWorld implements AutoCloseable {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final List<OpenTelemetry> telemetries = new ArrayList<>();
  private final List<Vertx> hosts = new ArrayList<>();
  private final World world;

  TracedWorld(int size) {
    MemoryCluster cluster = new MemoryCluster();
    for (int rank = 0; rank < size; rank++) {
      OpenTelemetry telemetry = telemetry("worker" + rank);
      telemetries.add(telemetry);
      hosts.add(
          Vertx.builder()
              .withTracer(new OpenTelemetryTracingFactory(telemetry))
              .withClusterManager(cluster.manager())
              .buildClustered()
              .await());
    }
    world = new World(hosts);
  }

  private OpenTelemetry telemetry(String worker) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setResource(Resource.builder().put("service.name", worker).build())
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build())
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .build();
  }

  Rpc worker(int rank) {
    return world.worker(rank);
  }

  Vertx host(int rank) {
    return hosts.get(rank);
  }

  World world() {
    return world;
  }

  /// A tracer as an application has one.
  Tracer tracer(int rank) {
    return telemetries.get(rank).getTracer("application");
  }

  /// Waits for so many spans: some end a moment after the thread that waits for an answer.
  List<SpanData> spans(int count) {
    World.eventually(() -> exporter.getFinishedSpanItems().size() >= count);
    return exporter.getFinishedSpanItems();
  }

  /// Checks all spans, as a tree.
  void assertTree(String expected) {
    List<SpanData> spans = spans((int) expected.lines().count());
    assertThat(SpanTree.of(spans)).isEqualTo(expected);
  }

  /// The kind of the error that a span has.
  static String error(SpanData span) {
    return span.getAttributes().get(AttributeKey.stringKey("error.type"));
  }

  @Override
  public void close() {
    world.close();
    hosts.forEach(host -> host.close().await());
  }
}
