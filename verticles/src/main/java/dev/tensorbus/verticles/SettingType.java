// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.PortRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values that a setting may have. Reads them from a command line, and checks them in either
/// form.
public sealed interface SettingType {
  /// The expected value, as the end of "expected …".
  String expected();

  /// The JSON value that a word on the command line stands for; null if it stands for none.
  @Nullable Object read(String word);

  /// Whether this JSON value will do.
  boolean accepts(Object value);

  /// A whole number within limits.
  ///
  /// @param min the least
  /// @param max the greatest
  record Whole(long min, long max) implements SettingType {
    /// The same from another least one on.
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

  /// A number above zero.
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

  /// A number from 0 up to, but not, 1.
  record Share() implements SettingType {
    @Override
    public String expected() {
      return "a number from 0 up to, but not, 1";
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

  /// A number from 0 to 1.
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

  /// An address of HTTP.
  record HttpUrl() implements SettingType {
    @Override
    public String expected() {
      return "an address such as http://127.0.0.1:4318";
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

  /// On or off.
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

  /// A word.
  ///
  /// @param expected as the end of "expected …"
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

  /// A range of ports.
  record Ports() implements SettingType {
    @Override
    public String expected() {
      return "the first and the last of at least 4 ports, such as 29500-29520";
    }

    @Override
    public Object read(String word) {
      return word;
    }

    @Override
    public boolean accepts(Object value) {
      try {
        return value instanceof String word && !PortRange.parse(word).isAny();
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }

  /// One of these words.
  record Choice(List<String> words) implements SettingType {
    /// One of these words.
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

  /// A folder that exists.
  record Folder() implements SettingType {
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

  /// A file that exists.
  record ExistingFile() implements SettingType {
    @Override
    public String expected() {
      return "a file that exists";
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
