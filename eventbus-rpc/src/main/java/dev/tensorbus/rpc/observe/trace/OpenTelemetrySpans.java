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

/// Finds the current OpenTelemetry spans of threads without a Vert.x context, which Vert.x does not
/// find. Also makes unsampled traces cheap: a Vert.x tracer would build a complete span before
/// dropping it. OpenTelemetry is optional, so no other class refers to its classes.
final class OpenTelemetrySpans {
  /// The OpenTelemetry context of every unsampled trace. The ids of its span are arbitrary.
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

  /// Returns whether a tracer creates OpenTelemetry spans. Does not require OpenTelemetry's
  /// classes.
  static boolean areOf(VertxTracer<?, ?> tracer) {
    return tracer.getClass().getName().startsWith("io.vertx.tracing.opentelemetry.");
  }

  /// Makes this thread's current span, if any, the current span of a Vert.x context too.
  static void copyCurrent(ContextInternal to) {
    Context current = Context.current();
    if (!current.equals(Context.root())) {
      Scope _ = VertxContextStorage.INSTANCE.attach(to, current);
    }
  }

  /// Returns whether this thread's current span belongs to an unsampled trace.
  static boolean isDropped() {
    SpanContext current = Span.current().getSpanContext();
    return current.isValid() && !current.isSampled();
  }

  /// Makes an unsampled trace current in a Vert.x context.
  static void drop(ContextInternal context) {
    Scope _ = VertxContextStorage.INSTANCE.attach(context, DROPPED);
  }
}
