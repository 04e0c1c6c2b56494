// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Rotates an image around its centre by a random angle. The shape does not change: corners are cut
/// off, and the background is 0. Interpolates bilinearly. Like torchvision's `RandomRotation` with
/// `InterpolationMode.BILINEAR`.
///
/// @param degrees maximum angle in either direction
public record RandomRotation(double degrees) implements Transform {
  /// @throws IllegalArgumentException if the angle is not in `[0, 180]`
  public RandomRotation {
    if (!(degrees >= 0 && degrees <= 180)) {
      throw new IllegalArgumentException(
          "random rotation: " + degrees + " degrees; expected 0 to 180");
    }
  }

  /// @throws ShapeException if the tensor is not an image
  @Override
  public Tensor apply(Tensor image, RandomGenerator random) {
    return rotated(image, Math.toRadians(degrees * (2 * random.nextDouble() - 1)));
  }

  /// Rotates an image counter-clockwise, as displayed.
  static Tensor rotated(Tensor image, double radians) {
    Shape shape = Images.shape("random rotation", image);
    int height = shape.size(1);
    int width = shape.size(2);
    double cos = Math.cos(radians);
    double sin = Math.sin(radians);
    float[] from = image.values();
    float[] to = new float[from.length];
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        // The point from which the pixel comes. y points down, so the sign of the sine is reversed.
        double x = column - (width - 1) / 2.0;
        double y = row - (height - 1) / 2.0;
        double fromX = cos * x - sin * y + (width - 1) / 2.0;
        double fromY = sin * x + cos * y + (height - 1) / 2.0;
        for (int plane = 0; plane < from.length; plane += height * width) {
          to[plane + row * width + column] = sample(from, plane, height, width, fromY, fromX);
        }
      }
    }
    return Tensor.of(shape, to);
  }

  /// Returns the bilinearly interpolated value at a point; pixels outside the image are 0.
  private static float sample(
      float[] values, int plane, int height, int width, double y, double x) {
    int top = (int) Math.floor(y);
    int left = (int) Math.floor(x);
    double sum = 0;
    for (int row = Math.max(top, 0); row <= Math.min(top + 1, height - 1); row++) {
      for (int column = Math.max(left, 0); column <= Math.min(left + 1, width - 1); column++) {
        double weight = (1 - Math.abs(y - row)) * (1 - Math.abs(x - column));
        sum += weight * values[plane + row * width + column];
      }
    }
    return (float) sum;
  }
}
