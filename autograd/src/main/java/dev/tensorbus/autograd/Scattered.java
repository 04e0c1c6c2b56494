// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// A tensor that is zero except for some values, such as the gradient of a slice or of rows that
/// were looked up. Several such tensors are summed in one array, at a cost proportional to the
/// number of their values, not to the size of the whole tensor.
public interface Scattered extends Layout {
  /// Adds the values at their offsets to `sums`, which holds the values of a whole tensor.
  void addTo(HeapStorage sums);

  @Override
  default HeapStorage dense() {
    HeapStorage sums = HeapStorage.zeros(dtype(), shape().elements());
    addTo(sums);
    return sums;
  }
}
