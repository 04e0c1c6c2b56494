// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One trace goes from a step through calls and the backward pass to the optimizers of all owners.
class TracedStepTest {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider spans =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final List<Vertx> hosts = new ArrayList<>();
  private List<Rpc> workers = List.of();

  @BeforeEach
  void open() {
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(spans)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    MemoryCluster cluster = new MemoryCluster();
    for (int rank = 0; rank < 3; rank++) {
      hosts.add(
          Vertx.builder()
              .withTracer(new OpenTelemetryTracingFactory(telemetry))
              .withClusterManager(cluster.manager())
              .buildClustered()
              .await());
    }
    workers = Future.all(IntStream.range(0, 3).mapToObj(this::worker).toList()).await().list();
    workers.forEach(worker -> worker.ready().await());
  }

  private Future<Rpc> worker(int rank) {
    RpcOptions options = RpcOptions.worldSize(3).withRank(rank);
    return Rpc.open(hosts.get(rank), "worker" + rank, options);
  }

  @AfterEach
  void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
    hosts.forEach(host -> host.close().await());
  }

  private static RemoteLayer<Half> half(Rpc rpc, String worker) {
    return new RemoteLayer<>(rpc.remote(worker, Half::new, 1L));
  }

  @Test
  void itsSpansAreOneTree() {
    Rpc rpc = workers.getFirst();
    RemoteLayer<Half> first = half(rpc, "worker1");
    RemoteLayer<Half> second = half(rpc, "worker2");
    List<RRef<Tensor>> parameters =
        Stream.of(first, second).flatMap(half -> half.remoteParameters().stream()).toList();
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters);
    boolean _ =
        rpc.span(
            "step",
            () -> {
              try (var context = DistAutograd.context(rpc)) {
                Tensor between = first.rpcSync(Half::forward, Tensor.ones(1, Half.WIDTH));
                context.backward(second.rpcSync(Half::forward, between).sum());
                optimizer.step(context);
                return true;
              }
            });
    assertThat(namesWithParents())
        .containsExactlyInAnyOrder(
            "null > step",
            "step > Half.forward",
            "Half.forward > Half.forward",
            "step > Half.forward",
            "Half.forward > Half.forward",
            "step > DistContext.backward",
            "DistContext.backward > DistContext.backward",
            "DistContext.backward > DistContext.backward",
            "step > DistributedOptimizer.step",
            "DistributedOptimizer.step > OwnerOptimizer.nonFinite",
            "OwnerOptimizer.nonFinite > OwnerOptimizer.nonFinite",
            "DistributedOptimizer.step > OwnerOptimizer.nonFinite",
            "OwnerOptimizer.nonFinite > OwnerOptimizer.nonFinite",
            "DistributedOptimizer.step > OwnerOptimizer.step",
            "OwnerOptimizer.step > OwnerOptimizer.step",
            "DistributedOptimizer.step > OwnerOptimizer.step",
            "OwnerOptimizer.step > OwnerOptimizer.step");
  }

  /// Each span of the step's trace. The step ends last, after all that it waited for.
  private List<String> namesWithParents() {
    List<SpanData> all = exporter.getFinishedSpanItems();
    String trace = all.getLast().getTraceId();
    Map<String, String> names = all.stream().collect(toMap(SpanData::getSpanId, SpanData::getName));
    return all.stream()
        .filter(span -> span.getTraceId().equals(trace))
        .map(span -> names.get(span.getParentSpanId()) + " > " + span.getName())
        .toList();
  }
}
