// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// The values of a tensor. They never change once a tensor owns them, so tensors can share a
/// storage.
///
/// A [HeapStorage] holds them in one array. A [Layout] holds them elsewhere until an operation
/// requests all of them.
public sealed interface Storage permits HeapStorage, LayoutStorage {
  /// Returns the type of the values.
  DType dtype();

  /// Returns the number of values, which may exceed the maximum length of an array.
  long size();

  /// Returns the values in one array, in row-major order.
  ///
  /// @throws ShapeException if there are more values than an array can hold
  HeapStorage heap();
}
