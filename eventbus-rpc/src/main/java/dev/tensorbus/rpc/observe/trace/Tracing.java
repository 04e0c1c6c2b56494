// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates the spans of one worker with the tracer of its Vertx. Without a tracer, it creates no
/// spans, and a call costs one null check. May be used on any thread.
public final class Tracing {
  /// The name of the spans of backward passes.
  private static final String BACKWARD = "DistContext.backward";

  /// The context of the method that a thread runs, in which a tracer finds the method's span. The
  /// subtasks of a structured task scope inherit it.
  private static final ScopedValue<ContextInternal> AROUND = ScopedValue.newInstance();

  private final ContextInternal loop;
  private final @Nullable VertxTracer<Object, Object> tracer;
  private final boolean isOpenTelemetry;
  private final Predicate<FunctionName> isControl;

  /// @param loop a context of the worker's Vertx
  /// @param isControl returns whether a function is a control call, which has no span
  @SuppressWarnings("unchecked") // a tracer receives only objects that it created
  public Tracing(ContextInternal loop, Predicate<FunctionName> isControl) {
    this.loop = loop;
    this.tracer = (VertxTracer<Object, Object>) loop.tracer();
    this.isOpenTelemetry = tracer != null && OpenTelemetrySpans.areOf(tracer);
    this.isControl = isControl;
  }

  /// Returns whether there is no tracer.
  boolean isOff() {
    return tracer == null;
  }

  /// Returns the context with the span of the method that this thread runs, or null if there is
  /// none.
  public static @Nullable ContextInternal around() {
    return AROUND.isBound() ? AROUND.get() : null;
  }

  /// Runs `body` such that its spans are children of the span of a method.
  ///
  /// @param context the result of [#around] on the thread that runs the method, or null if no
  ///     method runs there
  public static <R> R callAround(@Nullable ContextInternal context, Supplier<R> body) {
    return context == null
        ? body.get()
        : ScopedValue.where(AROUND, context).call(() -> in(context, body));
  }

  /// Like [#callAround], for a body without a result.
  static void runAround(ContextInternal context, Runnable body) {
    boolean _ =
        callAround(
            context,
            () -> {
              body.run();
              return true;
            });
  }

  /// Starts the span of a call that this thread makes, as a child of the current span.
  ///
  /// @param peer the callee
  /// @return the span, or null for a control call or without a tracer
  public @Nullable SentSpan call(FunctionName function, String peer) {
    VertxTracer<Object, Object> on = tracer;
    return on == null || isControl.test(function)
        ? null
        : sent(on, function.shortName(), () -> tags(function, peer));
  }

  /// Starts the span of a backward pass that this thread starts.
  ///
  /// @return the span, or null without a tracer
  public @Nullable SentSpan pass() {
    VertxTracer<Object, Object> on = tracer;
    return on == null ? null : sent(on, BACKWARD, List::of);
  }

  private @Nullable SentSpan sent(
      VertxTracer<Object, Object> on, String operation, Supplier<List<Tag>> tags) {
    if (isDropped()) {
      return new SentSpan(on, loop, null, TraceContext.DROPPED);
    }
    ContextInternal context = below();
    Map<String, String> headers = new HashMap<>();
    Object span =
        on.sendRequest(
            context,
            SpanKind.RPC,
            TracingPolicy.ALWAYS,
            tags.get(),
            operation,
            headers::put,
            Tag.ALL);
    return span == null ? null : new SentSpan(on, context, span, Headers.read(headers));
  }

  /// Starts the span of a method that another worker called.
  ///
  /// @param from the trace context of the call, or null
  /// @return the span, or null for a control call or without a tracer
  public @Nullable ServedSpan method(
      FunctionName function, String caller, @Nullable TraceContext from) {
    VertxTracer<Object, Object> on = tracer;
    return on == null || isControl.test(function)
        ? null
        : served(on, function.shortName(), () -> tags(function, caller), from);
  }

  /// Starts the span of this worker's part of a backward pass that another worker started.
  ///
  /// @param from the trace context of the pass, or null
  /// @return the span, or null without a trace context or a tracer
  public @Nullable ServedSpan part(String origin, @Nullable TraceContext from) {
    VertxTracer<Object, Object> on = tracer;
    return on == null || from == null
        ? null
        : served(on, BACKWARD, () -> List.of(new Tag(Tag.PEER, origin)), from);
  }

  /// Runs `body` on this thread in a new span, a child of the current span.
  public <R> R span(String name, Supplier<R> body) {
    VertxTracer<Object, Object> on = tracer;
    ServedSpan span = on == null || isDropped() ? null : begun(on, below(), name, List.of(), null);
    if (span == null) {
      return body.get();
    }
    try {
      R result = in(span.context(), body);
      span.end(null);
      return result;
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private boolean isDropped() {
    return isOpenTelemetry && OpenTelemetrySpans.isDropped();
  }

  private @Nullable ServedSpan served(
      VertxTracer<Object, Object> on,
      String operation,
      Supplier<List<Tag>> tags,
      @Nullable TraceContext from) {
    ContextInternal context = loop.duplicate();
    if (isOpenTelemetry && TraceContext.DROPPED.equals(from)) {
      OpenTelemetrySpans.drop(context);
      return new ServedSpan(on, context, null);
    }
    return begun(on, context, operation, tags.get(), from);
  }

  private static @Nullable ServedSpan begun(
      VertxTracer<Object, Object> on,
      ContextInternal context,
      String operation,
      List<Tag> tags,
      @Nullable TraceContext from) {
    Object span =
        on.receiveRequest(
            context,
            SpanKind.RPC,
            TracingPolicy.ALWAYS,
            tags,
            operation,
            Headers.of(from),
            Tag.ALL);
    return span == null ? null : new ServedSpan(on, context, span);
  }

  /// Returns a context with this thread's current span, for creating children of that span. A
  /// thread forked by a method has no Vert.x context, so the method's context is used.
  private ContextInternal below() {
    ContextInternal current = ContextInternal.current();
    ContextInternal here = current == null ? around() : current;
    ContextInternal context = here == null ? loop.duplicate() : here.duplicate(true);
    if (isOpenTelemetry) {
      OpenTelemetrySpans.copyCurrent(context);
    }
    return context;
  }

  /// Returns a copy of this thread's Vert.x context, in which another thread finds this thread's
  /// current span. Returns null if this thread has no duplicated context or there is no tracer.
  public static @Nullable ContextInternal current() {
    ContextInternal context = ContextInternal.current();
    boolean isTraced = context != null && context.isDuplicate() && context.tracer() != null;
    return isTraced ? context.duplicate(true) : null;
  }

  /// Runs `body` on this thread in a Vert.x context, in which a tracer finds the current span.
  ///
  /// @param context the context, or null to run `body` in the current one, if any
  public static <R> R in(@Nullable ContextInternal context, Supplier<R> body) {
    if (context == null) {
      return body.get();
    }
    ContextInternal outer = context.beginDispatch();
    try {
      return body.get();
    } finally {
      context.endDispatch(outer);
    }
  }

  private static List<Tag> tags(FunctionName function, String peer) {
    return List.of(
        new Tag("rpc.system", "tensorbus"),
        new Tag("rpc.service", function.type()),
        new Tag("rpc.method", function.method()),
        new Tag(Tag.PEER, peer));
  }
}
