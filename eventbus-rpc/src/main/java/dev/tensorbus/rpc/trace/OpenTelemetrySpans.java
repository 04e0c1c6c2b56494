// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.trace;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.tracing.opentelemetry.VertxContextStorageProvider.VertxContextStorage;

/// Finds the spans that OpenTelemetry keeps where Vert.x does not look: those of threads without a
/// context of Vert.x. Optional, so no other class names OpenTelemetry.
final class OpenTelemetrySpans {
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
}
