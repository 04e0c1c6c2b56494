// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import org.jspecify.annotations.Nullable;

/// Links a message to a distributed autograd context.
///
/// @param context the context's id, 0 for none
/// @param message the id shared by the send and receive functions of the message's tensors, or 0 if
///     no tensor is tracked
record GraphLink(long context, long message) {
  /// The link of a message that belongs to no context.
  static final GraphLink NONE = new GraphLink(0, 0);

  /// Writes the link, or nothing for [#NONE].
  void write(Output out) {
    if (context != 0) {
      out.putLong(context);
      out.putLong(message);
    }
  }

  /// Reads a link that [#write] wrote, or returns [#NONE] for null.
  static GraphLink read(@Nullable Input in) {
    if (in == null) {
      return NONE;
    }
    GraphLink link = new GraphLink(in.getLong(), in.getLong());
    in.requireEnd();
    return link;
  }
}
