// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import java.util.Objects;

/// A data set of greyscale images of handwritten digits with their labels. Immutable.
///
/// The images of its examples are normalized as most programs normalize MNIST: a grey value g from
/// 0 to 255 becomes (g / 255 - 0.1307) / 0.3081. `image.scale(0.3081).add(Tensor.scalar(0.1307f))`
/// restores values from 0 to 1. Pixels are stored as bytes, which take a quarter of the memory of
/// floats.
public final class Digits implements Dataset<Example> {
  /// Height and width of an image, in pixels.
  public static final int SIDE = 28;

  static final int PIXELS = SIDE * SIDE;

  private static final Shape SHAPE = Shape.of(1, SIDE, SIDE);

  // Mean and standard deviation of MNIST's training pixels, the constants that most programs use.
  private static final float MEAN = 0.1307f;
  private static final float DEVIATION = 0.3081f;
  private static final float[] NORMALISED = normalised();

  private final byte[] pixels;
  private final byte[] labels;

  /// Takes ownership of both arrays. Each label belongs to [#PIXELS] consecutive grey values from 0
  /// (paper) to 255 (ink).
  Digits(byte[] pixels, byte[] labels) {
    assert pixels.length == labels.length * PIXELS;
    this.pixels = pixels;
    this.labels = labels;
  }

  private static float[] normalised() {
    float[] values = new float[256];
    for (int grey = 0; grey < values.length; grey++) {
      values[grey] = (grey / 255f - MEAN) / DEVIATION;
    }
    return values;
  }

  @Override
  public int size() {
    return labels.length;
  }

  /// Returns the digit of an image, 0 to 9.
  public int label(int index) {
    return labels[Objects.checkIndex(index, labels.length)];
  }

  /// Returns the grey value of a pixel, 0 (paper) to 255 (ink).
  public int pixel(int index, int row, int column) {
    Objects.checkIndex(index, labels.length);
    Objects.checkIndex(row, SIDE);
    Objects.checkIndex(column, SIDE);
    return Byte.toUnsignedInt(pixels[index * PIXELS + row * SIDE + column]);
  }

  /// Returns an image as a network's input `[1, 28, 28]`, with its digit. Grey values are scaled to
  /// `[0, 1]` and then normalized with mean 0.1307 and standard deviation 0.3081.
  @Override
  public Example get(int index) {
    int label = label(index);
    float[] input = new float[PIXELS];
    for (int pixel = 0; pixel < PIXELS; pixel++) {
      input[pixel] = NORMALISED[pixels[index * PIXELS + pixel] & 0xff];
    }
    return new Example(Tensor.of(SHAPE, input), label);
  }
}
