// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

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

  long bytes() {
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
