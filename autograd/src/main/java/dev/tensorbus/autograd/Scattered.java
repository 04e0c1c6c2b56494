// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// A tensor that is zero except for some values, such as the gradient of a slice or of rows that
/// were looked up. Several of them are summed in one array, so the sum costs in proportion to their
/// values, not to the size of the whole tensor.
public interface Scattered extends Layout {
  /// Adds the values to those of the whole tensor, at their offsets.
  void addTo(HeapStorage sums);

  @Override
  default HeapStorage dense() {
    HeapStorage sums = HeapStorage.zeros(dtype(), shape().elements());
    addTo(sums);
    return sums;
  }
}
