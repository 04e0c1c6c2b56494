// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import java.util.stream.IntStream;

/// Grey pictures of handwritten digits with their labels. Immutable; kept as the bytes that they
/// came as, a quarter of their size as floats.
public final class Digits {
  /// The height and the width of a picture, in pixels.
  public static final int SIDE = 28;

  static final int PIXELS = SIDE * SIDE;

  // Mean and deviation of MNIST's training pixels, as everybody who trains on it takes them.
  private static final float MEAN = 0.1307f;
  private static final float DEVIATION = 0.3081f;
  private static final float[] NORMALISED = normalised();

  private final byte[] pixels;
  private final byte[] labels;

  /// Takes both arrays as its own: [#PIXELS] grey values of 0 (paper) to 255 (ink) for each label.
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

  /// The number of pictures.
  public int size() {
    return labels.length;
  }

  /// The digit that a picture shows, 0 to 9.
  public int label(int index) {
    return labels[Objects.checkIndex(index, labels.length)];
  }

  /// The grey value of a pixel, 0 (paper) to 255 (ink).
  public int pixel(int index, int row, int column) {
    Objects.checkIndex(index, labels.length);
    Objects.checkIndex(row, SIDE);
    Objects.checkIndex(column, SIDE);
    return Byte.toUnsignedInt(pixels[index * PIXELS + row * SIDE + column]);
  }

  /// Takes all pictures, in their order.
  public Batch all() {
    return batch(IntStream.range(0, size()).toArray());
  }

  /// Takes these pictures as the inputs `[n, 1, 28, 28]` of a network: grey values of 0 to 1, less
  /// 0.1307, divided by 0.3081.
  public Batch batch(int... indices) {
    float[] inputs = new float[Math.multiplyExact(indices.length, PIXELS)];
    int[] chosen = new int[indices.length];
    for (int i = 0; i < indices.length; i++) {
      chosen[i] = label(indices[i]);
      int from = indices[i] * PIXELS;
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        inputs[i * PIXELS + pixel] = NORMALISED[pixels[from + pixel] & 0xff];
      }
    }
    return new Batch(Tensor.of(Shape.of(indices.length, 1, SIDE, SIDE), inputs), chosen);
  }
}
