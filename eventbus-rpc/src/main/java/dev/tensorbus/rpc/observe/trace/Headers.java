// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts between trace contexts and the headers of W3C Trace Context, which tracers read and
/// write.
final class Headers {
  private static final String PARENT = "traceparent";
  private static final String STATE = "tracestate";

  /// The header of every unsampled trace. Its ids are arbitrary.
  private static final TraceContext UNSAMPLED =
      new TraceContext("00-00000000000000000000000000000001-0000000000000001-00", "");

  private Headers() {}

  /// Returns the trace context that a tracer wrote, or null if the tracer does not use the W3C
  /// format. The result is [TraceContext#DROPPED] if the trace is not sampled. A state that is too
  /// long is dropped, as W3C allows.
  static @Nullable TraceContext read(Map<String, String> headers) {
    String parent = headers.get(PARENT);
    if (parent == null || parent.isEmpty() || parent.length() > TraceContext.MOST_PARENT) {
      return null;
    }
    if (!isSampled(parent)) {
      return TraceContext.DROPPED;
    }
    String state = headers.getOrDefault(STATE, "");
    return new TraceContext(parent, state.length() > TraceContext.MOST_STATE ? "" : state);
  }

  /// Returns the sampled flag: the last bit of the last of four hexadecimal fields.
  private static boolean isSampled(String parent) {
    return (Character.digit(parent.charAt(parent.length() - 1), 16) & 1) == 1;
  }

  /// Returns the headers for a tracer to read, or none without a trace context.
  static Iterable<Map.Entry<String, String>> of(@Nullable TraceContext trace) {
    if (trace == null) {
      return List.of();
    }
    TraceContext written = trace.equals(TraceContext.DROPPED) ? UNSAMPLED : trace;
    return List.of(Map.entry(PARENT, written.parent()), Map.entry(STATE, written.state()));
  }
}
