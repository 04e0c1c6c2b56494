// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.trace;

import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The headers of W3C's Trace Context, which a tracer writes and reads.
final class Headers {
  static final String PARENT = "traceparent";
  static final String STATE = "tracestate";

  private Headers() {}

  /// The trace that a tracer wrote, or null if it wrote none: its propagator is not W3C's. A state
  /// that is too long is left out, as W3C allows.
  static @Nullable TraceContext read(Map<String, String> headers) {
    String parent = headers.get(PARENT);
    if (parent == null || parent.length() > TraceContext.MOST_PARENT) {
      return null;
    }
    String state = headers.getOrDefault(STATE, "");
    return new TraceContext(parent, state.length() > TraceContext.MOST_STATE ? "" : state);
  }

  /// The headers for a tracer to read.
  static Iterable<Map.Entry<String, String>> of(@Nullable TraceContext trace) {
    return trace == null
        ? List.of()
        : List.of(Map.entry(PARENT, trace.parent()), Map.entry(STATE, trace.state()));
  }
}
