// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The span of a request to another worker, or of a backward pass. It is empty if the trace is not
/// sampled.
public final class SentSpan {
  private final VertxTracer<Object, Object> tracer;
  private final ContextInternal context;
  private final @Nullable Object span;
  private final @Nullable TraceContext trace;

  SentSpan(
      VertxTracer<Object, Object> tracer,
      ContextInternal context,
      @Nullable Object span,
      @Nullable TraceContext trace) {
    this.tracer = tracer;
    this.context = context;
    this.span = span;
    this.trace = trace;
  }

  /// Returns the trace context to send to the other worker; null if the tracer does not use the W3C
  /// format.
  public @Nullable TraceContext trace() {
    return trace;
  }

  /// Ends the span after a success.
  public void end() {
    if (span != null) {
      tracer.receiveResponse(context, List.of(), span, null, Tag.ALL);
    }
  }

  /// Ends the span after a failure.
  ///
  /// @param outcome the kind of failure
  /// @param error the failure, or null if the span of the method records it
  public void fail(Enum<?> outcome, @Nullable Throwable error) {
    fail(outcome.name().toLowerCase(Locale.ROOT), error);
  }

  /// Ends the span after a failure. The kind of failure is the class of the exception.
  public void fail(Throwable error) {
    fail(error.getClass().getName(), error);
  }

  private void fail(String kind, @Nullable Throwable error) {
    if (span != null) {
      tracer.receiveResponse(context, List.of(new Tag(Tag.ERROR, kind)), span, error, Tag.ALL);
    }
  }
}
