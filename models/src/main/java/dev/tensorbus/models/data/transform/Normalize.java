// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.transform;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Subtracts a given mean from each channel and divides the result by a given standard deviation.
/// The shape remains `[c, h, w]`. Like torchvision's `Normalize`.
///
/// ```java
/// new Normalize(Tensor.of(0.485f, 0.456f, 0.406f), Tensor.of(0.229f, 0.224f, 0.225f)) // ImageNet
/// ```
///
/// @param mean mean of each channel, float32 `[c]`
/// @param std standard deviation of each channel, float32 `[c]`
public record Normalize(Tensor mean, Tensor std) implements FixedTransform {
  /// @throws ShapeException if `mean` and `std` do not both have the shape `[c]`
  /// @throws IllegalArgumentException if a standard deviation is not above 0
  public Normalize {
    if (mean.shape().rank() != 1 || !mean.shape().equals(std.shape())) {
      throw new ShapeException(
          "normalize",
          "mean %s and std %s; expected one value per channel"
              .formatted(mean.shape(), std.shape()));
    }
    for (float deviation : std.values()) {
      if (!(deviation > 0)) {
        throw new IllegalArgumentException(
            "normalize: a standard deviation of " + deviation + "; expected more than 0");
      }
    }
  }

  /// @throws ShapeException if the image does not have `c` channels
  @Override
  public Tensor apply(Tensor image) {
    Shape shape = Images.shape("normalize", image);
    int channels = mean.shape().size(0);
    if (shape.size(0) != channels) {
      throw new ShapeException(
          "normalize",
          "%s does not have %d channels, as mean and std have".formatted(shape, channels));
    }
    return image.sub(mean.reshape(channels, 1, 1)).div(std.reshape(channels, 1, 1));
  }
}
