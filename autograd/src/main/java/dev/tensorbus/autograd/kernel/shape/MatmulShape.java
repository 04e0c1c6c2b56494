// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

/// The sizes of a matrix product `c = a · b`: `a` is `[rows, inner]`, `b` is `[inner, columns]`,
/// and `c` is `[rows, columns]`.
///
/// @param transposeA whether `a` is stored as `[inner, rows]` instead of `[rows, inner]`
/// @param transposeB whether `b` is stored as `[columns, inner]` instead of `[inner, columns]`
public record MatmulShape(
    int rows, int columns, int inner, boolean transposeA, boolean transposeB) {
  /// Returns the shape of a product without transposition.
  public static MatmulShape of(int rows, int columns, int inner) {
    return new MatmulShape(rows, columns, inner, false, false);
  }

  /// Returns a copy with `a` stored as `[inner, rows]`.
  public MatmulShape withTransposedA() {
    return new MatmulShape(rows, columns, inner, true, transposeB);
  }

  /// Returns a copy with `b` stored as `[columns, inner]`.
  public MatmulShape withTransposedB() {
    return new MatmulShape(rows, columns, inner, transposeA, true);
  }

  /// Returns the offset of `a[row, p]`.
  public int indexA(int row, int p) {
    return transposeA ? p * rows + row : row * inner + p;
  }

  /// Returns the offset of `b[p, column]`.
  public int indexB(int p, int column) {
    return transposeB ? column * inner + p : p * columns + column;
  }

  /// Returns the number of multiply-adds.
  public long multiplications() {
    return (long) rows * columns * inner;
  }
}
