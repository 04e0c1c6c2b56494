// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// Ties a message to a distributed autograd context.
///
/// @param context the context's id, 0 for none
/// @param message names the pair of send and receive function that the tensors make, 0 if none of
///     them is tracked
public record GraphLink(long context, long message) {
  /// Outside of any context.
  public static final GraphLink NONE = new GraphLink(0, 0);

  static final int BYTES = 2 * Long.BYTES;

  void write(Output out) {
    out.putLong(context);
    out.putLong(message);
  }

  static GraphLink read(Input in) {
    return new GraphLink(in.getLong(), in.getLong());
  }
}
