// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// A matrix `b` of shape `[inner, columns]`, packed in the order in which the kernels read it. It
/// is the right factor of many products with few rows, and packing it again for each product would
/// cost more than the product itself.
///
/// @param <A> the array type: `float[]` or `double[]`
@FunctionalInterface
public interface PackedMatrix<A> {
  /// Computes `c += a · b` for `a` of shape `[rows, inner]` and `c` of shape `[rows, columns]`.
  void multiplyAdd(int rows, Slice<A> a, Slice<A> c);
}
