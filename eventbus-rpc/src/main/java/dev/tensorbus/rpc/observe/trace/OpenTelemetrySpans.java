// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.tracing.opentelemetry.VertxContextStorageProvider.VertxContextStorage;

/// Finds the spans that OpenTelemetry keeps where Vert.x does not look: those of threads without a
/// context of Vert.x. Lets a trace that is not kept cost little: a tracer of Vert.x makes all of a
/// span before it drops it. Optional, so no other class names OpenTelemetry.
final class OpenTelemetrySpans {
  /// Its span stands for every trace that is not kept. The span's numbers mean nothing.
  private static final Context DROPPED =
      Context.root()
          .with(
              Span.wrap(
                  SpanContext.create(
                      "00000000000000000000000000000001",
                      "0000000000000001",
                      TraceFlags.getDefault(),
                      TraceState.getDefault())));

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

  /// Whether this thread's current span belongs to a trace that is not kept.
  static boolean isDropped() {
    SpanContext current = Span.current().getSpanContext();
    return current.isValid() && !current.isSampled();
  }

  /// Makes a trace that is not kept the current one of a context.
  static void drop(ContextInternal context) {
    Scope _ = VertxContextStorage.INSTANCE.attach(context, DROPPED);
  }
}
