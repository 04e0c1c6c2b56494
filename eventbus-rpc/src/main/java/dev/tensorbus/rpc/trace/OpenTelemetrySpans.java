// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.trace;

import dev.tensorbus.rpc.wire.message.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.tracing.opentelemetry.VertxContextStorageProvider.VertxContextStorage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the spans that OpenTelemetry keeps where Vert.x does not look: those of threads without a
/// context of Vert.x. Lets a trace that is not kept cost little: a tracer of Vert.x makes all of a
/// span before it drops it. Optional, so no other class names OpenTelemetry.
final class OpenTelemetrySpans {
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private static final TextMapGetter<TraceContext> HEADERS =
      new TextMapGetter<>() {
        @Override
        public List<String> keys(TraceContext trace) {
          return List.of(Headers.PARENT, Headers.STATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext trace, String header) {
          if (trace == null) {
            return null;
          }
          return header.equals(Headers.PARENT) ? trace.parent() : trace.state();
        }
      };

  private OpenTelemetrySpans() {}

  /// Whether a tracer makes spans of OpenTelemetry. Its classes need not be there to ask.
  static boolean areOf(VertxTracer<?, ?> tracer) {
    return tracer.getClass().getName().startsWith("io.vertx.tracing.opentelemetry.");
  }

  /// Makes this thread's current span that of a context, too, if it has one.
  static void copyCurrent(ContextInternal to) {
    Context current = Context.current();
    if (!current.equals(Context.root())) {
      Scope _ = VertxContextStorage.INSTANCE.attach(to, current);
    }
  }

  /// The place of this thread's current span in its trace, if the trace is not kept; else null.
  static @Nullable TraceContext dropped() {
    Context current = Context.current();
    if (!isDropped(current)) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    W3C.inject(current, headers, (map, name, value) -> map.put(name, value));
    return Headers.read(headers);
  }

  /// Whether a trace that comes from elsewhere is not kept. If so, it becomes the current one of a
  /// context, without a span of its own.
  static boolean follow(TraceContext trace, ContextInternal context) {
    Context from = W3C.extract(Context.root(), trace, HEADERS);
    if (!isDropped(from)) {
      return false;
    }
    Scope _ = VertxContextStorage.INSTANCE.attach(context, from);
    return true;
  }

  private static boolean isDropped(Context context) {
    SpanContext span = Span.fromContext(context).getSpanContext();
    return span.isValid() && !span.isSampled();
  }
}
