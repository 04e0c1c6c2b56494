// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The values that a setting accepts, and their conversion from command line arguments to JSON
/// values.
public sealed interface SettingType {
  /// Describes the accepted values, to complete "expected …".
  String expected();

  /// Converts a command line argument to its JSON value; returns null if it is malformed.
  @Nullable Object read(String word);

  /// Returns whether a JSON value is valid.
  boolean accepts(Object value);

  /// An integer in a range.
  ///
  /// @param min the minimum
  /// @param max the maximum
  record Whole(long min, long max) implements SettingType {
    /// Returns a copy with another minimum.
    Whole from(long other) {
      return new Whole(other, max);
    }

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

  /// A finite number above 0.
  record Positive() implements SettingType {
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

  /// A number in `[0, 1)`.
  record Share() implements SettingType {
    @Override
    public String expected() {
      return "a number of at least 0 and below 1";
    }

    @Override
    public @Nullable Object read(String word) {
      return new Positive().read(word);
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof Number number
          && number.doubleValue() >= 0
          && number.doubleValue() < 1;
    }
  }

  /// A number in `[0, 1]`.
  record Ratio() implements SettingType {
    @Override
    public String expected() {
      return "a number from 0 to 1";
    }

    @Override
    public @Nullable Object read(String word) {
      return new Positive().read(word);
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof Number number
          && number.doubleValue() >= 0
          && number.doubleValue() <= 1;
    }
  }

  /// An HTTP or HTTPS URL.
  record HttpUrl() implements SettingType {
    @Override
    public String expected() {
      return "a URL such as http://127.0.0.1:4318";
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && word.matches("https?://[^/\\s]+\\S*");
    }
  }

  /// A boolean.
  record Flag() implements SettingType {
    @Override
    public String expected() {
      return "true or false";
    }

    @Override
    public @Nullable Object read(String word) {
      return switch (word) {
        case "true" -> true;
        case "false" -> false;
        default -> null;
      };
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof Boolean;
    }
  }

  /// A string that is not blank.
  ///
  /// @param expected the description of its values, to complete "expected …"
  record Word(String expected) implements SettingType {
    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && !word.isBlank();
    }
  }

  /// A string in a format of its own.
  ///
  /// @param expected the description of its values, to complete "expected …"
  /// @param parser throws an [IllegalArgumentException] if a string is malformed
  record Parsed(String expected, Consumer<String> parser) implements SettingType {
    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      if (!(value instanceof String word)) {
        return false;
      }
      try {
        parser.accept(word);
        return true;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  /// One of a list of words.
  record Choice(List<String> words) implements SettingType {
    /// Creates a choice between these words.
    public Choice(String... words) {
      this(List.of(words));
    }

    @Override
    public String expected() {
      return String.join(" or ", words);
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && words.contains(word);
    }
  }

  /// An existing folder.
  record Folder() implements SettingType {
    @Override
    public String expected() {
      return "an existing folder";
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

  /// An existing folder or, as an empty word, none: an option without a value.
  record OptionalFolder() implements SettingType {
    @Override
    public String expected() {
      return new Folder().expected();
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value.equals("") || new Folder().accepts(value);
    }
  }

  /// An existing file.
  record ExistingFile() implements SettingType {
    @Override
    public String expected() {
      return "an existing file";
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      return value instanceof String word && Files.isRegularFile(Path.of(word));
    }
  }
}
