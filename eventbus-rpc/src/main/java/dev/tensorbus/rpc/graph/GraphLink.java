// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import org.jspecify.annotations.Nullable;

/// Links a message to a distributed autograd context.
///
/// @param context the context's id, 0 for none
/// @param message the id of the pair of send and receive functions for its tensors, 0 if none of
///     them is tracked
record GraphLink(long context, long message) {
  /// Not in any context.
  static final GraphLink NONE = new GraphLink(0, 0);

  /// Writes the link, or nothing for [#NONE].
  void write(Output out) {
    if (context != 0) {
      out.putLong(context);
      out.putLong(message);
    }
  }

  /// Reads a link that [#write] wrote.
  static GraphLink read(@Nullable Input in) {
    if (in == null) {
      return NONE;
    }
    GraphLink link = new GraphLink(in.getLong(), in.getLong());
    in.requireEnd();
    return link;
  }
}
