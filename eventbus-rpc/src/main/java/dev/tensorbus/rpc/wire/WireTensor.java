// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A tensor of a message.
///
/// @param header all but its values
/// @param present the tensor without a past, or null while its values are on their way beside the
///     message
public record WireTensor(TensorHeader header, @Nullable Tensor present) {
  /// Takes the present version of a tensor's values.
  public static WireTensor of(Tensor tensor, boolean tracked) {
    Tensor value = tensor.detach();
    return new WireTensor(TensorHeader.of(value, tracked), value);
  }

  /// Its shape and values.
  ///
  /// @throws NullPointerException if the values have not arrived
  public Tensor value() {
    return Objects.requireNonNull(present, "the values of this tensor have not arrived");
  }

  /// Whether its gradient is to come back, or would have to if the message belonged to a context.
  public boolean tracked() {
    return header.tracked();
  }

  /// The size of the values that travel.
  static long valueBytes(List<WireTensor> tensors) {
    long sum = 0;
    for (WireTensor tensor : tensors) {
      sum += tensor.header().valueBytes();
    }
    return sum;
  }

  /// The values that travel: of a sparse tensor, those of its rows.
  public HeapStorage values() {
    SparseRows sparse = value().sparseRows();
    return sparse == null ? value().heap() : sparse.values().heap();
  }

  /// The same tensor, of which these values have arrived.
  ///
  /// @throws WireException if its rows are none of its shape
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
