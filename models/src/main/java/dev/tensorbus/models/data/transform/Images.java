// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Checks and crops images `[channels, height, width]`.
final class Images {
  private Images() {}

  /// Returns the shape of an image.
  ///
  /// @throws ShapeException if the image does not have three axes, or a side is 0
  static Shape shape(String transform, Tensor image) {
    Shape shape = image.shape();
    if (shape.rank() != 3 || shape.elements() == 0) {
      throw new ShapeException(
          transform, shape + " is not an image; expected [channels, height, width]");
    }
    return shape;
  }

  /// Checks a height and a width, in pixels.
  ///
  /// @throws IllegalArgumentException if one is below 1
  static void requireSides(String transform, int height, int width) {
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "%s: %dx%d pixels; expected at least 1x1".formatted(transform, height, width));
    }
  }

  static Tensor crop(Tensor image, int top, int left, int height, int width) {
    return image.slice(1, top, top + height).slice(2, left, left + width);
  }
}
