// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The span of work that runs on this worker. It is the current span in [#context], and it is empty
/// if the trace is not sampled.
public final class ServedSpan {
  private final VertxTracer<Object, Object> tracer;
  private final ContextInternal context;
  private final @Nullable Object span;

  ServedSpan(VertxTracer<Object, Object> tracer, ContextInternal context, @Nullable Object span) {
    this.tracer = tracer;
    this.context = context;
    this.span = span;
  }

  /// Returns the context in which this span is current.
  public ContextInternal context() {
    return context;
  }

  /// Ends the span.
  ///
  /// @param error the failure of the work, or null
  public void end(@Nullable Throwable error) {
    if (span != null) {
      List<Tag> tags =
          error == null ? List.of() : List.of(new Tag(Tag.ERROR, error.getClass().getName()));
      tracer.sendResponse(context, tags, span, error, Tag.ALL);
    }
  }
}
