// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;
import java.util.random.RandomGenerator;

/// Makes digits in MNIST's format without any data: drawn stroke by stroke in several styles, each
/// picture by a hand and a pen of its own.
public final class StrokeDigits {
  private StrokeDigits() {}

  /// Draws `count` digits at random; equal generators draw equal pictures.
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
