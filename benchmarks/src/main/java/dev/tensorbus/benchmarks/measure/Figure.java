// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import java.util.Locale;
import java.util.regex.Pattern;

/// A result, printed as a line of three words.
///
/// @param name the name, the same as in the PyTorch benchmarks
/// @param value the value in `unit`
/// @param unit the unit, such as `ms`
public record Figure(String name, double value, String unit) {
  private static final Pattern LINE = Pattern.compile("\\S+ [-+.0-9e]+ \\S+");

  /// Returns whether a line is a figure.
  public static boolean isFigure(String line) {
    return LINE.matcher(line).matches();
  }

  /// Reads a line that [#isFigure].
  public static Figure parse(String line) {
    String[] words = line.split(" ", -1);
    return new Figure(words[0], Double.parseDouble(words[1]), words[2]);
  }

  /// Returns whether a higher value is better, as for all rates.
  boolean isRate() {
    return unit.endsWith("/s");
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s %.4g %s", name, value, unit);
  }
}
