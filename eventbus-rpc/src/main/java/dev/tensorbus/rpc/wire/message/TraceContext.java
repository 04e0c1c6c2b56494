// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;

/// The trace context of a call or a gradient, in the format of W3C Trace Context. Tensorbus only
/// limits the length of the headers; the tracer that reads them ignores invalid ones.
///
/// @param parent the header `traceparent`
/// @param state the header `tracestate`, often empty
public record TraceContext(String parent, String state) {
  /// The maximum length of a `traceparent`.
  public static final int MOST_PARENT = 55;

  /// The maximum length of a `tracestate`. Tracers should propagate at least this length.
  public static final int MOST_STATE = 512;

  /// Represents every unsampled trace.
  public static final TraceContext DROPPED = new TraceContext("", "");

  /// @throws WireException if a header is longer than its maximum
  public TraceContext {
    requireLength("traceparent", parent, MOST_PARENT);
    requireLength("tracestate", state, MOST_STATE);
  }

  private static void requireLength(String header, String text, int most) {
    if (text.length() > most) {
      throw new WireException(
          "%s of %d characters; at most %d are expected".formatted(header, text.length(), most),
          null);
    }
  }

  /// Reads a context that [#write] wrote.
  public static TraceContext read(Input in) {
    TraceContext trace = new TraceContext(in.getString(), in.getString());
    return trace.parent.isEmpty() ? DROPPED : trace;
  }

  /// Writes this context.
  public void write(Output out) {
    out.putString(parent);
    out.putString(state);
  }
}
