// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.ArrayList;
import java.util.List;

/// Arguments or a result: the tensors, and the rest as [Values] encodes it with each tensor's
/// index in its place.
///
/// @param graph the autograd context and message; [GraphLink#NONE] outside of one
/// @param tensors the tensors, in the order of their indices
/// @param values everything else
public record Payload(GraphLink graph, List<WireTensor> tensors, byte[] values) {
  private static final int SMALLEST_TENSOR = 3;

  /// The size of a message that holds this after `header` bytes of its own.
  ///
  /// @throws WireException if it is more than one message can hold
  int messageBytes(int header) {
    long size = header + bytes();
    if (size > Integer.MAX_VALUE - 8) {
      throw new WireException(
          "a message of " + size + " bytes is more than 2 GiB; send the tensors in several calls",
          null);
    }
    return (int) size;
  }

  private long bytes() {
    long sum = GraphLink.BYTES + 2L * Integer.BYTES + values.length;
    for (WireTensor tensor : tensors) {
      sum += tensor.bytes();
    }
    return sum;
  }

  void write(Output out) {
    graph.write(out);
    out.putInt(tensors.size());
    for (WireTensor tensor : tensors) {
      tensor.write(out);
    }
    out.putBytes(values);
  }

  static Payload read(Input in) {
    GraphLink graph = GraphLink.read(in);
    int count = in.getCount(SMALLEST_TENSOR);
    List<WireTensor> tensors = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      tensors.add(WireTensor.read(in));
    }
    return new Payload(graph, tensors, in.getBytes());
  }
}
