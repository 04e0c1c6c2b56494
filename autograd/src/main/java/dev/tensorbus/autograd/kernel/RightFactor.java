// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A matrix `b` of `[inner, columns]` that stands on the right in many products with few rows, in
/// the order in which the kernels read it: to turn it for each of them would cost more than the
/// product.
///
/// @param <A> the arrays: `float[]` or `double[]`
@FunctionalInterface
public interface RightFactor<A> {
  /// `c += a · b` for `a` of `[rows, inner]` and `c` of `[rows, columns]`.
  void multiplyAdd(int rows, Slice<A> a, Slice<A> c);
}
