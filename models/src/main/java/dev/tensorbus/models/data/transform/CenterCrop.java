// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Crops the centre of an image: `[c, h, w]` becomes `[c, height, width]`. Like torchvision's
/// `CenterCrop`, except that torchvision pads an image that is too small.
///
/// @param height height of the crop, in pixels
/// @param width width of the crop, in pixels
public record CenterCrop(int height, int width) implements FixedTransform {
  /// @throws IllegalArgumentException if a side is below 1
  public CenterCrop {
    Images.requireSides("center crop", height, width);
  }

  /// @throws ShapeException if the image is smaller than the crop
  @Override
  public Tensor apply(Tensor image) {
    Shape shape = Images.shape("center crop", image);
    int down = shape.size(1) - height;
    int right = shape.size(2) - width;
    if (down < 0 || right < 0) {
      throw new ShapeException(
          "center crop",
          "%dx%d pixels do not fit in %s; resize the image first".formatted(height, width, shape));
    }
    return Images.crop(image, half(down), half(right), height, width);
  }

  /// Halves a number and rounds half to even, like Python and therefore torchvision.
  private static int half(int pixels) {
    return (int) Math.rint(pixels / 2.0);
  }
}
