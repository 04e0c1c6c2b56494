// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.tracing;

import dev.tensorbus.verticles.Ranks;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.VertxBuilder;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Traces one worker and sends its spans to a collector with OTLP over HTTP. A separate thread
/// sends them once a second. Spans that the collector does not accept are dropped.
public final class OtlpTracing implements AutoCloseable {
  /// The maximum time that a worker waits for the collector when it stops.
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final SdkTracerProvider spans;
  private final OpenTelemetrySdk telemetry;

  private OtlpTracing(String worker, double ratio, SpanExporter exporter) {
    spans =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put("service.name", worker).build())
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter)
                    .setScheduleDelay(PERIOD)
                    .setExporterTimeout(PATIENCE)
                    .build())
            .build();
    // Registered globally, so that application code can create spans without a reference to it.
    telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(spans)
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .buildAndRegisterGlobal();
  }

  /// Starts tracing a worker if its options enable it; otherwise returns empty. A process can start
  /// tracing only once.
  public static Optional<OtlpTracing> of(Role role, WorkerOptions options) {
    double ratio = options.number(Setting.TRACE_RATIO);
    return Optional.ofNullable(options.word(Setting.OTLP))
        .map(url -> new OtlpTracing(name(role, options), ratio, exporter(url)));
  }

  /// Returns the worker's name or, if its rank is not known yet, the name of its role.
  private static String name(Role role, WorkerOptions options) {
    return options.rank().stream()
        .mapToObj(rank -> Ranks.of(options).nameOf(role, rank))
        .findFirst()
        .orElse(role.label());
  }

  /// Returns an exporter without retries: the next batch follows soon, and a missing collector must
  /// not delay a worker.
  private static SpanExporter exporter(String url) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(url.replaceAll("/+$", "") + "/v1/traces")
            .setConnectTimeout(PATIENCE)
            .setTimeout(PATIENCE)
            .setRetryPolicy(null)
            .build();
    return new PatientExporter(exporter, url);
  }

  /// Configures tracing for a Vertx.
  public VertxBuilder trace(VertxBuilder builder) {
    return builder.withTracer(new OpenTelemetryTracingFactory(telemetry));
  }

  /// Sends the last spans. Blocks for at most 2 s.
  @Override
  public void close() {
    spans.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
