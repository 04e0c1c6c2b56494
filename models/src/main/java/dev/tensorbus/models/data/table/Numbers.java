// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import java.util.regex.Pattern;

/// Parses decimal numbers, with a decimal point and without thousands separators.
/// Java's own methods would also accept `1f`, `0x1p3` and digits of other scripts.
final class Numbers {
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
  private static final Pattern NAN = Pattern.compile("[+-]?nan", Pattern.CASE_INSENSITIVE);
  private static final Pattern INFINITY =
      Pattern.compile("[+-]?inf(?:inity)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");

  private Numbers() {}

  /// Parses a number, `nan` or `inf`, without surrounding whitespace.
  ///
  /// @throws NumberFormatException if the string is not a number or is too large; the message says
  ///     why and what to do
  static float float32(String text) {
    if (DECIMAL.matcher(text).matches()) {
      float value = Float.parseFloat(text);
      if (Float.isInfinite(value)) {
        throw tooLarge();
      }
      return value;
    }
    if (NAN.matcher(text).matches()) {
      return Float.NaN;
    }
    if (INFINITY.matcher(text).matches()) {
      return text.startsWith("-") ? Float.NEGATIVE_INFINITY : Float.POSITIVE_INFINITY;
    }
    throw new NumberFormatException(
        "is not a number; correct it, or read the texts of the column with classes");
  }

  /// Parses an integer without surrounding whitespace.
  ///
  /// @throws NumberFormatException if the string is not an integer or does not fit in an int64; the
  ///     message says why and what to do
  static long int64(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw notWhole();
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new NumberFormatException(
          "is too large for int64; read the column with tensor or strings");
    }
  }

  static NumberFormatException tooLarge() {
    return new NumberFormatException("is too large for float32; scale the column");
  }

  static NumberFormatException notWhole() {
    return new NumberFormatException(
        "is not an integer; correct it, or read the column with tensor");
  }
}
