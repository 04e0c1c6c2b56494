// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;

/// The styles in which each digit is written, as a table of [Glyph]s.
final class DigitStyles {
  private static final List<List<Glyph>> STYLES =
      List.of(
          zeros(), ones(), twos(), threes(), fours(), fives(), sixes(), sevens(), eights(),
          nines());

  private DigitStyles() {}

  /// Returns the styles of a digit.
  static List<Glyph> of(int digit) {
    return STYLES.get(digit);
  }

  private static Glyph glyph(int[]... strokes) {
    return new Glyph(List.of(strokes));
  }

  private static int[] stroke(int... coordinates) {
    return coordinates;
  }

  private static List<Glyph> zeros() {
    return List.of(
        glyph(stroke(55, 2, 28, 12, 14, 45, 20, 82, 46, 99, 74, 85, 85, 48, 74, 12, 50, 0)),
        glyph(stroke(62, 6, 40, 4, 14, 30, 12, 70, 36, 96, 68, 84, 88, 46, 80, 14, 52, 8)),
        glyph(stroke(48, 0, 28, 26, 22, 62, 40, 98, 66, 80, 76, 45, 66, 10, 42, 3)));
  }

  private static List<Glyph> ones() {
    return List.of(
        glyph(stroke(50, 0, 50, 100)),
        glyph(stroke(52, 0, 49, 50, 50, 100)),
        glyph(stroke(34, 22, 46, 12, 54, 0), stroke(54, 0, 52, 100)),
        glyph(stroke(34, 20, 52, 0), stroke(52, 0, 52, 98), stroke(30, 98, 74, 98)));
  }

  private static List<Glyph> twos() {
    return List.of(
        glyph(stroke(16, 24, 32, 4, 62, 2, 80, 24, 66, 54, 16, 96), stroke(16, 96, 86, 96)),
        glyph(
            stroke(
                18, 20, 40, 0, 70, 10, 74, 38, 52, 70, 24, 92, 12, 84, 24, 74, 46, 84, 66, 96, 90,
                90)),
        glyph(
            stroke(14, 12, 50, 2, 78, 18, 68, 50, 38, 78, 14, 98), stroke(14, 98, 50, 92, 88, 98)));
  }

  private static List<Glyph> threes() {
    return List.of(
        glyph(
            stroke(20, 12, 46, 0, 74, 12, 70, 36, 40, 47),
            stroke(40, 47, 74, 54, 84, 76, 60, 97, 16, 88)),
        glyph(
            stroke(18, 4, 78, 4),
            stroke(78, 4, 44, 42),
            stroke(44, 42, 78, 54, 80, 84, 50, 99, 14, 88)),
        glyph(stroke(24, 6, 60, 2, 72, 22, 46, 44, 56, 48, 80, 70, 62, 96, 18, 96)));
  }

  private static List<Glyph> fours() {
    return List.of(
        glyph(stroke(28, 2, 20, 30, 16, 54), stroke(16, 54, 84, 52), stroke(70, 4, 66, 100)),
        glyph(stroke(64, 0, 12, 64), stroke(12, 64, 90, 62), stroke(64, 0, 62, 100)),
        glyph(stroke(22, 4, 18, 36, 34, 52, 62, 46, 76, 30), stroke(80, 2, 74, 50, 68, 100)));
  }

  private static List<Glyph> fives() {
    return List.of(
        glyph(
            stroke(30, 2, 24, 42),
            stroke(24, 42, 56, 36, 82, 58, 72, 88, 44, 99, 14, 88),
            stroke(30, 2, 82, 2)),
        glyph(
            stroke(84, 2, 40, 6),
            stroke(40, 6, 28, 40),
            stroke(28, 40, 60, 48, 72, 72, 52, 96, 16, 94)),
        glyph(stroke(86, 4, 60, 2, 36, 8, 28, 28, 40, 42, 62, 52, 70, 74, 54, 94, 18, 92)));
  }

  private static List<Glyph> sixes() {
    return List.of(
        glyph(stroke(68, 0, 40, 18, 20, 56, 30, 92, 58, 98, 78, 78, 66, 56, 40, 58, 24, 76)),
        glyph(stroke(40, 0, 26, 36, 22, 72, 40, 98, 70, 90, 74, 66, 50, 56, 26, 72)),
        glyph(stroke(78, 8, 50, 10, 22, 44, 22, 80, 46, 98, 74, 86, 78, 62, 54, 50, 28, 62)));
  }

  private static List<Glyph> sevens() {
    return List.of(
        glyph(stroke(14, 4, 84, 4), stroke(84, 4, 58, 46, 42, 100)),
        glyph(stroke(14, 6, 84, 4), stroke(84, 4, 56, 44, 44, 100), stroke(34, 50, 76, 48)),
        glyph(stroke(16, 22, 18, 6), stroke(18, 6, 50, 10, 82, 2), stroke(82, 2, 64, 40, 56, 100)));
  }

  private static List<Glyph> eights() {
    return List.of(
        glyph(
            stroke(
                74, 14, 48, 0, 26, 18, 44, 42, 70, 60, 74, 86, 48, 99, 24, 86, 30, 62, 56, 44, 76,
                22, 72, 10)),
        glyph(
            stroke(50, 0, 28, 12, 30, 36, 52, 46, 72, 34, 72, 10, 48, 0),
            stroke(52, 46, 24, 60, 22, 86, 50, 99, 78, 86, 76, 60, 52, 46)),
        glyph(
            stroke(
                80, 8, 54, 4, 30, 18, 42, 40, 60, 58, 60, 86, 42, 98, 28, 82, 42, 56, 72, 30, 82,
                8)));
  }

  private static List<Glyph> nines() {
    return List.of(
        glyph(
            stroke(76, 16, 50, 2, 26, 18, 28, 42, 52, 50, 74, 32, 78, 12),
            stroke(78, 12, 74, 56, 66, 100)),
        glyph(
            stroke(74, 20, 56, 2, 28, 14, 24, 38, 46, 48, 70, 34, 76, 14),
            stroke(76, 14, 80, 60, 62, 92, 28, 98)),
        glyph(stroke(70, 10, 40, 8, 22, 32, 40, 50, 66, 38, 78, 6, 70, 50, 48, 100)));
  }
}
