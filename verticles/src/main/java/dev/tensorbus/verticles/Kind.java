// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a setting's value may be: how it is read from a command line and checked in either form.
sealed interface Kind {
  /// What is asked for, as the end of "expected …".
  String expected();

  /// The JSON value that a word on the command line stands for; null if it stands for none.
  @Nullable Object read(String word);

  /// Whether this JSON value will do.
  boolean accepts(Object value);

  /// A whole number within limits.
  record Whole(long min, long max) implements Kind {
    @Override
    public String expected() {
      return max == Long.MAX_VALUE
          ? min == Long.MIN_VALUE ? "a whole number" : "a whole number of at least " + min
          : "a whole number from " + min + " to " + max;
    }

    @Override
    public @Nullable Object read(String word) {
      try {
        return Long.valueOf(word);
      } catch (NumberFormatException e) {
        return null;
      }
    }

    @Override
    public boolean accepts(Object value) {
      return (value instanceof Long || value instanceof Integer)
          && ((Number) value).longValue() >= min
          && ((Number) value).longValue() <= max;
    }
  }

  /// A number above zero.
  record Positive() implements Kind {
    @Override
    public String expected() {
      return "a number above 0";
    }

    @Override
    public @Nullable Object read(String word) {
      try {
        return Double.valueOf(word);
      } catch (NumberFormatException e) {
        return null;
      }
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof Number number
          && number.doubleValue() > 0
          && Double.isFinite(number.doubleValue());
    }
  }

  /// A word.
  record Word(String expected) implements Kind {
    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && !word.isBlank();
    }
  }

  /// A folder that exists.
  record Folder() implements Kind {
    @Override
    public String expected() {
      return "a folder that exists";
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && Files.isDirectory(Path.of(word));
    }
  }
}
