// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The values of an array, beginning at index `start`.
///
/// @param <A> the array type: `float[]` or `double[]`
public record Slice<A>(A values, int start) {
  /// Returns the slice that begins `offset` values later.
  public Slice<A> from(int offset) {
    return new Slice<>(values, start + offset);
  }
}
