// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;

/// Images in another size. After `torch.nn.functional.interpolate`.
public final class Interpolations {
  private Interpolations() {}

  /// `[n, c, h, w]` in another height and width: each pixel is that at the same place. torch's
  /// `mode="nearest"`.
  ///
  /// @throws ShapeException if there are not four axes, or a size is not positive
  public static Tensor nearest(Tensor images, Pair size) {
    requireImages(images, size);
    return images
        .indexSelect(2, nearest(images.shape().size(2), size.rows()))
        .indexSelect(3, nearest(images.shape().size(3), size.columns()));
  }

  private static Tensor nearest(int from, int to) {
    long[] places = new long[to];
    for (int i = 0; i < to; i++) {
      places[i] = Math.min(from - 1, (long) (i * ((float) from / to))); // torch's rounding
    }
    return Tensor.ofLongs(places);
  }

  /// `[n, c, h, w]` in another height and width: each pixel is a mean of four neighbours, the
  /// nearer ones count more. torch's `mode="bilinear"`.
  ///
  /// @param alignCorners whether the outermost pixels keep their values, so that the distance of
  ///     two pixels depends on the sizes; torch's default is false
  /// @throws ShapeException if there are not four axes, or a size is not positive
  public static Tensor bilinear(Tensor images, Pair size, boolean alignCorners) {
    requireImages(images, size);
    Tensor rows = shares(images, 2, size.rows(), alignCorners);
    Tensor columns = shares(images, 3, size.columns(), alignCorners);
    return rows.matmul(images).matmul(columns.transpose(0, 1));
  }

  /// `[to, from]`: the share of each old place in each new one. So both directions are a product,
  /// and so are the gradients.
  private static Tensor shares(Tensor images, int axis, int to, boolean alignCorners) {
    int from = images.shape().size(axis);
    double[] shares = new double[to * from];
    for (int i = 0; i < to; i++) {
      double place =
          alignCorners
              ? to == 1 ? 0 : (double) i * (from - 1) / (to - 1)
              : Math.max(0, (i + 0.5) * from / to - 0.5);
      int first = Math.min(from - 1, (int) place);
      int second = Math.min(from - 1, first + 1);
      shares[i * from + first] += 1 - (place - first);
      shares[i * from + second] += place - first;
    }
    return Tensor.ofStorage(Shape.of(to, from), shares).to(images.dtype());
  }

  private static void requireImages(Tensor images, Pair size) {
    Shape shape = images.shape();
    if (shape.rank() != 4 || size.rows() < 1 || size.columns() < 1) {
      throw new ShapeException(
          "interpolate",
          "%s to [%d, %d]; expected [n, c, h, w] and positive sizes"
              .formatted(shape, size.rows(), size.columns()));
    }
  }
}
