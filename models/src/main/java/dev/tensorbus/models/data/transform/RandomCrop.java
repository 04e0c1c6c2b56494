// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Crops an image at a random position: `[c, h, w]` becomes `[c, height, width]`. Like
/// torchvision's `RandomCrop`.
///
/// @param height height of the crop, in pixels
/// @param width width of the crop, in pixels
/// @param padding number of zero pixels that are first added on each side of the image
public record RandomCrop(int height, int width, int padding) implements Transform {
  /// @throws IllegalArgumentException if a side is below 1, or the padding is negative
  public RandomCrop {
    Images.requireSides("random crop", height, width);
    if (padding < 0) {
      throw new IllegalArgumentException(
          "random crop: a padding of " + padding + "; expected 0 or more");
    }
  }

  /// @throws ShapeException if the padded image is smaller than the crop
  @Override
  public Tensor apply(Tensor image, RandomGenerator random) {
    Shape shape = Images.shape("random crop", image);
    int down = shape.size(1) + 2 * padding - height;
    int right = shape.size(2) + 2 * padding - width;
    if (down < 0 || right < 0) {
      throw new ShapeException(
          "random crop",
          "%dx%d pixels do not fit in %s with a padding of %d; resize the image first"
              .formatted(height, width, shape, padding));
    }
    Tensor padded = image.pad(1, padding, padding, 0).pad(2, padding, padding, 0);
    return Images.crop(padded, random.nextInt(down + 1), random.nextInt(right + 1), height, width);
  }
}
