// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// One factor of a product as [Tile] takes it: lines (rows of the left factor, columns of the
/// right one) of which value `p` meets value `p` of the other's.
///
/// @param values line `j` at `p` is `values[start + j * stride + p * step]`
public record Lines(float[] values, int start, int stride, int step) {
  /// The left factor's rows.
  static Lines rows(MatmulShape shape, float[] a) {
    return shape.transposeA()
        ? new Lines(a, 0, 1, shape.rows())
        : new Lines(a, 0, shape.inner(), 1);
  }

  /// The right factor's columns.
  static Lines columns(MatmulShape shape, float[] b) {
    return shape.transposeB()
        ? new Lines(b, 0, shape.inner(), 1)
        : new Lines(b, 0, 1, shape.columns());
  }

  /// The lines that lie `by` values further on.
  Lines shifted(int by) {
    return new Lines(values, start + by, stride, step);
  }

  /// The position of line `j` at `p`.
  int at(int j, int p) {
    return start + j * stride + p * step;
  }

  /// The same lines from line `j` and value `p` on.
  public Lines from(int j, int p) {
    return new Lines(values, at(j, p), stride, step);
  }
}
