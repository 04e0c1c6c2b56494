// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.call.Binding;
import dev.tensorbus.rpc.call.CallAttachment;
import dev.tensorbus.rpc.call.OutgoingValue;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;

/// Attaches trace contexts to calls: the call's span on the caller is the parent of the method's
/// span on the callee.
///
/// @param tracing creates the spans
public record TraceAttachment(Tracing tracing) implements CallAttachment {
  @Override
  public int id() {
    return 3;
  }

  @Override
  public @Nullable OnCaller call(FunctionName function, Target target) {
    SentSpan span = tracing.call(function, target.worker());
    return span == null ? null : new CallSpan(span);
  }

  @Override
  public @Nullable OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in) {
    TraceContext trace = in == null ? null : TraceContext.read(in);
    return tracing.isOff() ? null : new MethodSpan(tracing, function, caller.info().name(), trace);
  }

  @Override
  public @Nullable Binding here() {
    ContextInternal around = Tracing.around();
    return around == null ? null : body -> Tracing.runAround(around, body);
  }

  /// The span of a call that this worker makes.
  private record CallSpan(SentSpan span) implements OnCaller {
    @Override
    public void write(OutgoingValue arguments, Output out) {
      TraceContext trace = span.trace();
      if (trace != null) {
        trace.write(out);
      }
    }

    @Override
    public void ended(Outcome outcome, @Nullable Throwable error) {
      if (outcome == Outcome.OK) {
        span.end();
      } else {
        span.fail(outcome, error);
      }
    }
  }

  /// The span of a method that this worker runs.
  private static final class MethodSpan implements OnCallee {
    private final Tracing tracing;
    private final FunctionName function;
    private final String caller;
    private final @Nullable TraceContext trace;
    private @Nullable ServedSpan span;

    private MethodSpan(
        Tracing tracing, FunctionName function, String caller, @Nullable TraceContext trace) {
      this.tracing = tracing;
      this.function = function;
      this.caller = caller;
      this.trace = trace;
    }

    @Override
    public void run(Runnable body) {
      ServedSpan begun = tracing.method(function, caller, trace);
      if (begun == null) {
        body.run();
      } else {
        span = begun;
        Tracing.runAround(begun.context(), body);
      }
    }

    /// Ends the span before the answer is sent, so that the caller's span is the last to end.
    @Override
    public void ended(@Nullable Throwable error) {
      if (span != null) {
        span.end(error);
      }
    }
  }
}
