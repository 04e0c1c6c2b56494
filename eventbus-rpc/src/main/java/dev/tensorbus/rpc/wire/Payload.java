// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.ArrayList;
import java.util.List;

/// Arguments or a result: the tensors, and the rest as [Values] encodes it with each tensor's
/// index in its place.
///
/// @param graph the autograd context and message; [GraphLink#NONE] outside of one
/// @param ticket names the values of the tensors if they travel beside the message, or is
///     [#IN_MESSAGE]
/// @param tensors the tensors, in the order of their indices
/// @param values everything else
public record Payload(GraphLink graph, long ticket, List<WireTensor> tensors, byte[] values) {
  /// The ticket of tensors whose values the message itself holds.
  public static final long IN_MESSAGE = 0;

  private static final int SMALLEST_TENSOR = 3;

  /// What leaves room in an array for the rest of a message.
  private static final int MOST_BYTES = Integer.MAX_VALUE - (1 << 20);

  /// A message that holds everything.
  public Payload(GraphLink graph, List<WireTensor> tensors, byte[] values) {
    this(graph, IN_MESSAGE, tensors, values);
  }

  /// The same, while the values of the tensors travel beside the message under this ticket.
  public Payload beside(long newTicket) {
    return new Payload(graph, newTicket, tensors, values);
  }

  /// The same with tensors whose values have arrived.
  public Payload arrived(List<WireTensor> filled) {
    return new Payload(graph, IN_MESSAGE, filled, values);
  }

  /// Whether values of tensors travel beside the message.
  public boolean isBeside() {
    return ticket != IN_MESSAGE;
  }

  /// The size of all tensors' values.
  public long tensorBytes() {
    long sum = 0;
    for (WireTensor tensor : tensors) {
      sum += tensor.outline().valueBytes();
    }
    return sum;
  }

  /// The size of this in a message.
  ///
  /// @throws WireException if it is more than one message can hold
  private int messageBytes() {
    long size = bytes();
    if (size > MOST_BYTES) {
      throw new WireException(
          "a message of " + size + " bytes is more than 2 GiB; send the tensors in several calls",
          null);
    }
    return (int) size;
  }

  private long bytes() {
    long sum = GraphLink.BYTES + Long.BYTES + 2L * Integer.BYTES + values.length;
    for (WireTensor tensor : tensors) {
      sum += tensor.outline().bytes();
    }
    return isBeside() ? sum : sum + tensorBytes();
  }

  /// Writes this as the last of a message but for `more` bytes.
  void write(Output out, int more) {
    out.expect(messageBytes() + more);
    graph.write(out);
    out.putLong(ticket);
    out.putInt(tensors.size());
    for (WireTensor tensor : tensors) {
      tensor.outline().write(out);
      if (!isBeside()) {
        out.putArray(tensor.values());
      }
    }
    out.putBytes(values);
  }

  static Payload read(Input in) {
    GraphLink graph = GraphLink.read(in);
    long ticket = in.getLong();
    int count = in.getCount(SMALLEST_TENSOR);
    List<WireTensor> tensors = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      WireTensor tensor = new WireTensor(Outline.read(in), null);
      Outline outline = tensor.outline();
      tensors.add(
          ticket == IN_MESSAGE
              ? tensor.filled(in.getArray(outline.type(), outline.count()))
              : tensor);
    }
    return new Payload(graph, ticket, tensors, in.getBytes());
  }
}
