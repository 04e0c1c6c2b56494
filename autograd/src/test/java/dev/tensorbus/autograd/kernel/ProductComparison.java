// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// Matrix products.
final class ProductComparison extends Comparison {
  ProductComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      matmul(size, 5, 9);
      matmul(5, size, 9);
      matmul(9, 5, size);
      matmul(1, size, 9);
      matmul(size, 2, 31);
    }
    matmul(0, 3, 2);
    matmul(3, 2, 0);
    matmul(100, 70, 0);
    matmul(207, 207, 207);
    matmul(104, 87, 300);
    // Half a tile's rows and half a vector on its edges, for vectors of any width.
    matmul(20, 200, 31);
    matmul(13, 34, 8);
    matmul(9, 36, 8);
    thinProducts();
    dotProducts();
  }

  @Override
  void runLarge() {
    matmul(300, 200, 700);
    matmul(2, 700, 300);
    matmul(21, 1003, 350);
    matmul(2100, 40, 300);
  }

  /// Columns of one vector of any width, few rows and many, a block that few rows pack, and a left
  /// factor that is packed.
  private void thinProducts() {
    for (int columns : new int[] {4, 8, 16}) {
      matmul(19, columns, 12);
      matmul(120, columns, 31);
      matmul(19, columns + 3, 100);
      spreads(MatmulShape.of(11, columns, 9));
    }
    spreads(MatmulShape.of(7, 5, 3));
    matmul(35, 200, 100);
    matmul(107, 530, 270);
  }

  /// Thin sides with enough inner values: whole tiles of lines and all edges of them on both sides,
  /// with inner values that fill vectors of any width and that do not.
  private void dotProducts() {
    for (int thin = 1; thin <= 10; thin++) {
      matmul(thin, 10 + thin, 150 + thin);
      matmul(10 + thin, thin, 150 + thin);
    }
    matmul(24, 30, 400);
    matmul(30, 25, 400);
    spreads(MatmulShape.of(6, 10, 151).withTransposedB());
  }

  /// NaN and infinity reach the results that they belong to.
  private void spreads(MatmulShape shape) {
    float[] a = randoms(shape.rows() * shape.inner());
    float[] b = randoms(shape.inner() * shape.columns());
    a[shape.indexA(4, shape.inner() - 1)] = Float.NaN;
    b[shape.indexB(1, 3)] = Float.POSITIVE_INFINITY;
    int results = shape.rows() * shape.columns();
    compare("NaN in " + shape, shape.inner(), results, (k, c) -> k.matmul(shape, a, b, c));
  }

  private void matmul(int rows, int columns, int inner) {
    float[] a = randoms(rows * inner);
    float[] b = randoms(inner * columns);
    float[] bias = randoms(columns);
    MatmulShape shape = MatmulShape.of(rows, columns, inner);
    for (MatmulShape each :
        new MatmulShape[] {
          shape,
          shape.withTransposedA(),
          shape.withTransposedB(),
          shape.withTransposedA().withTransposedB()
        }) {
      compare(each.toString(), inner, rows * columns, (k, c) -> k.matmul(each, a, b, c));
      compare("affine " + each, inner + 1, rows * columns, (k, c) -> k.affine(each, a, b, bias, c));
      matmuls(each);
    }
  }

  private void matmuls(MatmulShape shape) {
    int batch = 3;
    float[] a = randoms(batch * shape.rows() * shape.inner());
    float[] b = randoms(batch * shape.inner() * shape.columns());
    int results = batch * shape.rows() * shape.columns();
    compare(
        batch + " " + shape, shape.inner(), results, (k, c) -> k.matmuls(batch, shape, a, b, c));
  }
}
