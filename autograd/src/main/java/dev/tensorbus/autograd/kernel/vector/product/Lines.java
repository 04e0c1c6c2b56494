// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// One factor of a matrix product as a sequence of lines: the rows of the left factor, or the
/// columns of the right factor. Value `p` of a line is multiplied by value `p` of a line of the
/// other factor.
///
/// @param values the array, in which value `p` of line `j` is at index `start + j * stride + p *
///     step`
public record Lines(float[] values, int start, int stride, int step) {
  /// Returns the rows of the left factor.
  static Lines rows(MatmulShape shape, float[] a) {
    return shape.transposeA()
        ? new Lines(a, 0, 1, shape.rows())
        : new Lines(a, 0, shape.inner(), 1);
  }

  /// Returns the columns of the right factor.
  static Lines columns(MatmulShape shape, float[] b) {
    return shape.transposeB()
        ? new Lines(b, 0, shape.inner(), 1)
        : new Lines(b, 0, 1, shape.columns());
  }

  /// Returns the lines of the matrix that begins `by` values later in the array.
  Lines shifted(int by) {
    return new Lines(values, start + by, stride, step);
  }

  /// Returns the offset of value `p` of line `j`.
  int at(int j, int p) {
    return start + j * stride + p * step;
  }

  /// Returns a view without the first `j` lines and without the first `p` values of each line.
  public Lines from(int j, int p) {
    return new Lines(values, at(j, p), stride, step);
  }
}
