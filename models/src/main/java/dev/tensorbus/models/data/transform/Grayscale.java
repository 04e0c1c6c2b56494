// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Converts a colour image to grey: `[3, h, w]` becomes `[1, h, w]`. The weights of the channels
/// reflect the sensitivity of the eye (ITU-R 601-2, as in Pillow; torchvision rounds the weight of
/// red to 0.2989). Like torchvision's `Grayscale`.
public record Grayscale() implements FixedTransform {
  private static final float[] WEIGHTS = {0.299f, 0.587f, 0.114f};

  /// @throws ShapeException if the image does not have three channels
  @Override
  public Tensor apply(Tensor image) {
    Shape shape = Images.shape("grayscale", image);
    if (shape.size(0) != WEIGHTS.length) {
      throw new ShapeException(
          "grayscale", shape + " does not have 3 channels; expected red, green and blue");
    }
    float[] colours = image.values();
    float[] greys = new float[colours.length / WEIGHTS.length];
    for (int channel = 0; channel < WEIGHTS.length; channel++) {
      for (int pixel = 0; pixel < greys.length; pixel++) {
        greys[pixel] += WEIGHTS[channel] * colours[channel * greys.length + pixel];
      }
    }
    return Tensor.of(Shape.of(1, shape.size(1), shape.size(2)), greys);
  }
}
