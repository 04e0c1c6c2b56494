// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// One factor of a product as [Tile] reads it: lines (rows of the left factor, columns of the right
/// one), in which value `p` is multiplied by value `p` of the other factor's lines.
///
/// @param values line `j` at `p` is `values[start + j * stride + p * step]`
public record Lines(float[] values, int start, int stride, int step) {
  /// Returns the left factor's rows.
  static Lines rows(MatmulShape shape, float[] a) {
    return shape.transposeA()
        ? new Lines(a, 0, 1, shape.rows())
        : new Lines(a, 0, shape.inner(), 1);
  }

  /// Returns the right factor's columns.
  static Lines columns(MatmulShape shape, float[] b) {
    return shape.transposeB()
        ? new Lines(b, 0, shape.inner(), 1)
        : new Lines(b, 0, 1, shape.columns());
  }

  /// Returns the lines shifted by `by` values.
  Lines shifted(int by) {
    return new Lines(values, start + by, stride, step);
  }

  /// Returns the offset of line `j` at `p`.
  int at(int j, int p) {
    return start + j * stride + p * step;
  }

  /// Returns the lines starting at line `j` and value `p`.
  public Lines from(int j, int p) {
    return new Lines(values, at(j, p), stride, step);
  }
}
