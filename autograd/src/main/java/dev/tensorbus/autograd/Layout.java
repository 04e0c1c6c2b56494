// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Values of a tensor that are not stored in one array. [Tensor#ofLayout] creates a tensor from a
/// layout, for use in any operation. The values are copied into an array when all of them are first
/// requested. An operation that needs only some of them reads the [layout][Tensor#layout].
public interface Layout {
  /// Returns the shape of the tensor.
  Shape shape();

  /// Returns the type of the values.
  DType dtype();

  /// Returns a new array with all values, in row-major order.
  HeapStorage dense();
}
