// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// A tensor that is zero except where some values are added: the gradient of a slice, or of rows
/// that were looked up. Many of them add up in one array, so their sum costs as much as their
/// values, however large the whole is.
public interface Scattered extends Layout {
  /// Adds the values to those of the whole tensor, at their places.
  void addTo(HeapStorage sums);

  @Override
  default HeapStorage dense() {
    HeapStorage sums = HeapStorage.zeros(dtype(), shape().elements());
    addTo(sums);
    return sums;
  }
}
