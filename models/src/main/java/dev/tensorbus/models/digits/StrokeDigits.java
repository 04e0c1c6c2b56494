// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;
import java.util.random.RandomGenerator;

/// Generates images of digits in MNIST's format without any input data. Draws each digit as pen
/// strokes, with a random style, handwriting and pen.
public final class StrokeDigits {
  private StrokeDigits() {}

  /// Draws `count` random digits. Generators with equal seeds yield equal images.
  public static Digits draw(int count, RandomGenerator random) {
    byte[] pixels = new byte[Math.multiplyExact(count, Digits.PIXELS)];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      labels[i] = (byte) random.nextInt(10);
      List<Glyph> styles = DigitStyles.of(labels[i]);
      Glyph glyph = styles.get(random.nextInt(styles.size()));
      List<float[]> lines = Handwriting.random(random).write(glyph);
      Pen.random(random).draw(lines, pixels, i * Digits.PIXELS, random);
    }
    return new Digits(pixels, labels);
  }
}
