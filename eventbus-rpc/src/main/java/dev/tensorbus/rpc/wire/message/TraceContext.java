// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;

/// The position of a call or a gradient in a trace, in the format of W3C's Trace Context. Tensorbus
/// limits its length; the tracer that reads it ignores an invalid text.
///
/// @param parent the header `traceparent`
/// @param state the header `tracestate`, often empty
public record TraceContext(String parent, String state) {
  /// The length of a `traceparent`.
  public static final int MOST_PARENT = 55;

  /// The length of a `tracestate` that every tracer must propagate.
  public static final int MOST_STATE = 512;

  /// Represents every unsampled trace.
  public static final TraceContext DROPPED = new TraceContext("", "");

  /// @throws WireException if a text is longer than W3C's Trace Context allows
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
