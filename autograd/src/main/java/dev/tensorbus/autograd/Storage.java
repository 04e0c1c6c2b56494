// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// The values of a tensor: their type, their number, and where they are. Values never change once a
/// tensor has them, so tensors share storages.
///
/// A [HeapStorage] has them in one array. Those of a [Layout] are elsewhere until an operation asks
/// for all.
public sealed interface Storage permits HeapStorage, LayoutStorage {
  /// The type of the values.
  DType dtype();

  /// The number of values, which may exceed that of an array.
  long size();

  /// The values in one array, in row-major order.
  ///
  /// @throws ShapeException if no array can hold so many
  HeapStorage heap();
}
