// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.function.UnaryOperator;

/// Scales an image: `[c, h, w]` becomes `[c, height, width]`. When an image shrinks, the triangle
/// filter spans two pixels of the result, so that no pixel is skipped. Like torchvision's `Resize`
/// with its defaults, bilinear interpolation and `antialias=True`.
public final class Resize implements FixedTransform {
  private final UnaryOperator<Shape> target;

  private Resize(UnaryOperator<Shape> target) {
    this.target = target;
  }

  /// Returns a transform that resizes to a height and width, regardless of the image's proportions.
  ///
  /// @throws IllegalArgumentException if a side is below 1
  public static Resize to(int height, int width) {
    Images.requireSides("resize", height, width);
    return new Resize(from -> Shape.ofArray(from.size(0), height, width));
  }

  /// Returns a transform that resizes the shorter side to a number of pixels. The longer side is
  /// scaled in proportion and rounded down. Like torchvision's `Resize(pixels)`.
  ///
  /// @throws IllegalArgumentException if `pixels` is below 1
  public static Resize shortSide(int pixels) {
    Images.requireSides("resize", pixels, pixels);
    return new Resize(from -> scaled(from, pixels));
  }

  private static Shape scaled(Shape from, long pixels) {
    int shorter = Math.min(from.size(1), from.size(2));
    return Shape.ofArray(
        from.size(0),
        Math.clamp(pixels * from.size(1) / shorter, 1, Integer.MAX_VALUE),
        Math.clamp(pixels * from.size(2) / shorter, 1, Integer.MAX_VALUE));
  }

  /// @throws ShapeException if the tensor is not an image, or the result would have too many values
  @Override
  public Tensor apply(Tensor image) {
    Shape from = Images.shape("resize", image);
    Shape to = target.apply(from);
    if (to.equals(from)) {
      return image;
    }
    Resampling across = Resampling.of(from.size(2), to.size(2));
    Resampling down = Resampling.of(from.size(1), to.size(1));
    Shape half = Shape.ofArray(from.size(0), from.size(1), to.size(2));
    Tensor resized = Tensor.of(half, across.apply(image.values(), from.size(0) * from.size(1), 1));
    return Tensor.of(to, down.apply(resized.values(), from.size(0), to.size(2)));
  }
}
