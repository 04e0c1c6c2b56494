// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import java.util.Locale;
import java.util.regex.Pattern;

/// One result, which reads as a line of three words.
///
/// @param name the same as for the same workload on PyTorch
/// @param value in `unit`
/// @param unit such as `ms`
public record Figure(String name, double value, String unit) {
  private static final Pattern LINE = Pattern.compile("\\S+ [-+.0-9e]+ \\S+");

  /// Whether the line is a figure.
  public static boolean isFigure(String line) {
    return LINE.matcher(line).matches();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s %.4g %s", name, value, unit);
  }
}
