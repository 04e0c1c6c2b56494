// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;

/// Resizes images. Like `torch.nn.functional.interpolate`.
public final class Interpolations {
  private Interpolations() {}

  /// Resizes `[n, c, h, w]` to the given height and width; each pixel of the result is the nearest
  /// pixel of the input. Like torch's `mode="nearest"`.
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
      places[i] = Math.min(from - 1, (long) (i * ((float) from / to))); // rounded as in torch
    }
    return Tensor.ofLongs(places);
  }

  /// Resizes `[n, c, h, w]` to the given height and width; each pixel of the result is interpolated
  /// linearly from four pixels of the input. Like torch's `mode="bilinear"`.
  ///
  /// @param alignCorners whether the corner pixels keep their values; torch's default is false
  /// @throws ShapeException if there are not four axes, or a size is not positive
  public static Tensor bilinear(Tensor images, Pair size, boolean alignCorners) {
    requireImages(images, size);
    return along(along(images, 2, size.rows(), alignCorners), 3, size.columns(), alignCorners);
  }

  /// Interpolates along one axis. Each new pixel is the weighted mean of the old pixels before and
  /// after it. If a new pixel coincides with an old pixel, the old pixel is used for both, since a
  /// weight of 0 would turn an infinite neighbour into NaN.
  private static Tensor along(Tensor images, int axis, int to, boolean alignCorners) {
    int from = images.shape().size(axis);
    long[] before = new long[to];
    long[] after = new long[to];
    double[] weightsBefore = new double[to];
    double[] weightsAfter = new double[to];
    for (int i = 0; i < to; i++) {
      double place =
          alignCorners
              ? to == 1 ? 0 : (double) i * (from - 1) / (to - 1)
              : Math.clamp((i + 0.5) * from / to - 0.5, 0, from - 1);
      before[i] = (long) place;
      boolean isBetween = place > before[i];
      after[i] = isBetween ? before[i] + 1 : before[i];
      weightsAfter[i] = isBetween ? place - before[i] : 0.5;
      weightsBefore[i] = 1 - weightsAfter[i];
    }
    Shape each = axis == 2 ? Shape.of(to, 1) : Shape.of(to);
    Tensor first = images.indexSelect(axis, Tensor.ofLongs(before));
    Tensor second = images.indexSelect(axis, Tensor.ofLongs(after));
    return first
        .mul(Tensor.of(each, weightsBefore).to(images.dtype()))
        .add(second.mul(Tensor.of(each, weightsAfter).to(images.dtype())));
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
