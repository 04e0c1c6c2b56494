// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Values of a tensor that are not in one array. [Tensor#ofLayout] creates a tensor from them,
/// which works with every operation. They are copied into an array on the first request for all
/// values; an operation that needs only some reads the [layout][Tensor#layout].
public interface Layout {
  /// Returns the shape of the tensor.
  Shape shape();

  /// Returns the type of the values.
  DType dtype();

  /// Returns a new array with all values, in row-major order.
  HeapStorage dense();
}
