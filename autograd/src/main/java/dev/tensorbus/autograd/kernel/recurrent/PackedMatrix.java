// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.recurrent;

import dev.tensorbus.autograd.kernel.shape.Slice;

/// A matrix `b` of `[inner, columns]`, packed in the order in which the kernels read it. It is the
/// right factor of many products with few rows; packing it for each of them would cost more than
/// the product.
///
/// @param <A> the array type: `float[]` or `double[]`
@FunctionalInterface
public interface PackedMatrix<A> {
  /// `c += a · b` for `a` of `[rows, inner]` and `c` of `[rows, columns]`.
  void multiplyAdd(int rows, Slice<A> a, Slice<A> c);
}
