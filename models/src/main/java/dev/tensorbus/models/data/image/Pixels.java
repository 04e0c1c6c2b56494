// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.image;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.nio.file.Path;

/// Converts an image to a tensor `[channels, height, width]` with one or three channels.
///
/// Reads the raw samples instead of calling `BufferedImage.getRGB`, which treats grey values as
/// linear and brightens them.
final class Pixels {
  private static final int MOST_BITS = 16;

  private Pixels() {}

  /// @throws DataException if the image is neither grey nor RGB, or its samples are not integers of
  ///     at most 16 bits
  static Tensor of(Path file, BufferedImage image) {
    ColorModel colours = image.getColorModel();
    if (colours instanceof IndexColorModel) {
      return ofPalette(image);
    }
    int space = colours.getColorSpace().getType();
    if (space != ColorSpace.TYPE_GRAY && space != ColorSpace.TYPE_RGB) {
      throw new DataException(file + ": is neither grey nor RGB; convert it to RGB");
    }
    if (colours.getTransferType() > DataBuffer.TYPE_INT
        || colours.getComponentSize(0) > MOST_BITS) {
      throw new DataException(
          file + ": has samples of more than 16 bits; convert it to 8 or 16 bits");
    }
    image.coerceData(false); // alpha is dropped, so colours must not be premultiplied
    return ofSamples(image.getRaster(), colours);
  }

  private static Tensor ofPalette(BufferedImage image) {
    int width = image.getWidth();
    Shape shape = Shape.of(3, image.getHeight(), width);
    float[] values = new float[shape.elements()];
    int[] row = new int[width];
    int channel = values.length / 3;
    for (int y = 0; y < image.getHeight(); y++) {
      image.getRGB(0, y, width, 1, row, 0, width);
      for (int x = 0; x < width; x++) {
        int at = y * width + x;
        values[at] = (row[x] >> 16 & 0xff) / 255f;
        values[channel + at] = (row[x] >> 8 & 0xff) / 255f;
        values[2 * channel + at] = (row[x] & 0xff) / 255f;
      }
    }
    return Tensor.of(shape, values);
  }

  private static Tensor ofSamples(Raster raster, ColorModel colours) {
    int width = raster.getWidth();
    Shape shape = Shape.of(colours.getNumColorComponents(), raster.getHeight(), width);
    float[] values = new float[shape.elements()];
    int[] row = new int[width];
    int next = 0;
    for (int channel = 0; channel < shape.size(0); channel++) {
      float white = (1 << colours.getComponentSize(channel)) - 1;
      for (int y = 0; y < raster.getHeight(); y++) {
        raster.getSamples(0, y, width, 1, channel, row);
        for (int x = 0; x < width; x++) {
          values[next++] = row[x] / white;
        }
      }
    }
    return Tensor.of(shape, values);
  }
}
