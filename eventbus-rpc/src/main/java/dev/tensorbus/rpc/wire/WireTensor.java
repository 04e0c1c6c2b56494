// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A tensor in a message.
///
/// @param header everything but its values
/// @param present the tensor without its graph, or null while its values are in transit on a lane
public record WireTensor(TensorHeader header, @Nullable Tensor present) {
  /// Captures the current version of a tensor's values.
  public static WireTensor of(Tensor tensor, boolean tracked) {
    Tensor value = tensor.detach();
    return new WireTensor(TensorHeader.of(value, tracked), value);
  }

  /// Returns the tensor, including its values.
  ///
  /// @throws NullPointerException if the values have not arrived
  public Tensor value() {
    return Objects.requireNonNull(present, "the values of this tensor have not arrived");
  }

  /// Returns whether the tensor's gradient must be sent back if the message belongs to a
  /// distributed autograd context.
  public boolean tracked() {
    return header.tracked();
  }

  /// Returns the size of these tensors' sent values in bytes.
  static long valueBytes(List<WireTensor> tensors) {
    long sum = 0;
    for (WireTensor tensor : tensors) {
      sum += tensor.header().valueBytes();
    }
    return sum;
  }

  /// Returns the sent values: for a sparse tensor, the values of its rows.
  public HeapStorage values() {
    SparseRows sparse = value().sparseRows();
    return sparse == null ? value().heap() : sparse.values().heap();
  }

  /// Returns a copy with the values that have arrived.
  ///
  /// @throws WireException if the rows do not match the shape
  public WireTensor filled(HeapStorage values) {
    Tensor laidOut = Tensor.ofStorage(header.laidOut(), values);
    int[] rows = header.rows();
    if (rows == null) {
      return new WireTensor(header, laidOut);
    }
    try {
      Tensor sparse = Tensor.ofRows(new SparseRows(header.shape(), rows, laidOut));
      return new WireTensor(header, sparse);
    } catch (IllegalArgumentException e) {
      throw new WireException("sparse tensor in a message: " + e.getMessage(), e);
    }
  }
}
