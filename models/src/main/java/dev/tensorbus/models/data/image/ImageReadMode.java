// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.transform.Grayscale;

/// The channels to which an image is converted. Like torchvision's `ImageReadMode`.
public enum ImageReadMode {
  /// Red, green and blue. A grey image is converted to three equal channels.
  RGB,
  /// One channel, from black to white. [Grayscale] converts colour images.
  GRAY;

  /// Converts an image with one or three channels.
  Tensor channelsOf(Tensor image) {
    int channels = image.shape().size(0);
    return switch (this) {
      case RGB ->
          channels == 3 ? image : image.expand(3, image.shape().size(1), image.shape().size(2));
      case GRAY -> channels == 1 ? image : new Grayscale().apply(image);
    };
  }
}
