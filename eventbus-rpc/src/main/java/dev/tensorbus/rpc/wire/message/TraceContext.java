// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;

/// The place in a trace that a call or a gradient comes from, as W3C's Trace Context writes it.
/// Tensorbus bounds its length; the tracer that reads it ignores a text that is no trace.
///
/// @param parent the header `traceparent`
/// @param state the header `tracestate`, often empty
public record TraceContext(String parent, String state) {
  /// The characters that a `traceparent` has.
  public static final int MOST_PARENT = 55;

  /// The characters of a `tracestate` that every tracer passes on.
  public static final int MOST_STATE = 512;

  /// Stands for every trace that is not kept.
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

  /// Reads what [#write] wrote.
  public static TraceContext read(Input in) {
    TraceContext trace = new TraceContext(in.getString(), in.getString());
    return trace.parent.isEmpty() ? DROPPED : trace;
  }

  /// Writes this.
  public void write(Output out) {
    out.putString(parent);
    out.putString(state);
  }
}
