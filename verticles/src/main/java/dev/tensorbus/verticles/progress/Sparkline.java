// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import java.nio.charset.CharsetEncoder;

/// Draws a curve as one line of text.
public final class Sparkline {
  private static final String BLOCKS = "▁▂▃▄▅▆▇█";
  private static final String ASCII = "_.-~:=*#";

  private Sparkline() {}

  /// Draws values from 0 to `max`, each as one of eight characters of increasing height. If there
  /// are more than `width` values, neighbouring values are averaged. Uses block characters if
  /// standard output can encode them.
  public static String of(double[] values, double max, int width) {
    CharsetEncoder encoder = System.out.charset().newEncoder();
    return of(values, max, width, encoder.canEncode(BLOCKS) ? BLOCKS : ASCII);
  }

  static String of(double[] values, double max, int width, String signs) {
    int count = Math.min(width, values.length);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) i * values.length / count);
      int to = (int) ((long) (i + 1) * values.length / count);
      double height = mean(values, from, to) / max * signs.length();
      line.append(signs.charAt(Math.clamp((long) height, 0, signs.length() - 1)));
    }
    return line.toString();
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }
}
