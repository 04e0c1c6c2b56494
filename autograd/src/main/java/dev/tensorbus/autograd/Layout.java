// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Values of a tensor that do not lie in one array. [Tensor#ofLayout] makes a tensor of them, which
/// every operation takes. They are laid out in an array when somebody asks for all, and an
/// operation that needs a few asks for the [layout][Tensor#layout].
public interface Layout {
  /// The shape of the tensor.
  Shape shape();

  /// The type of the values.
  DType dtype();

  /// Returns a new array with all values, in row-major order.
  HeapStorage dense();
}
