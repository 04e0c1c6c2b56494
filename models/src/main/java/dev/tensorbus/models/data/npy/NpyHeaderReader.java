// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.models.data.DataException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses the header of an `.npy` file, a Python dictionary with exactly the keys `descr`,
/// `fortran_order` and `shape` in any order. Evaluates no Python code. The caller adds the file's
/// name to exceptions.
final class NpyHeaderReader {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*([{}():,\\[\\]]|'[^'\\\\]*'|\"[^\"\\\\]*\"|[A-Za-z0-9_]+|$)");

  private final String header;
  private final Matcher tokens;
  private String token = "";

  private NpyHeaderReader(String header) {
    this.header = header;
    this.tokens = TOKEN.matcher(header);
  }

  /// Parses a header.
  ///
  /// @throws DataException if the header is invalid, or the type or size is not supported
  static NpyHeader read(String header) {
    return new NpyHeaderReader(header).read();
  }

  private NpyHeader read() {
    String description = null;
    Boolean isFortran = null;
    Shape shape = null;
    advance();
    expect("{");
    while (!token.equals("}")) {
      String key = string();
      expect(":");
      switch (key) {
        case "descr" -> description = once(key, description, description());
        case "fortran_order" -> isFortran = once(key, isFortran, truth());
        case "shape" -> shape = once(key, shape, shape());
        default -> throw damaged("the key '" + key + "' is unknown");
      }
      if (!token.equals("}")) {
        expect(",");
      }
    }
    expect("}");
    if (!token.isEmpty()) {
      throw damaged("text follows the dictionary");
    }
    if (description == null || isFortran == null || shape == null) {
      throw damaged("descr, fortran_order or shape is missing");
    }
    return new NpyHeader(type(description), order(description), isFortran, shape);
  }

  /// Advances to the next token, which is empty at the end of the header.
  private void advance() {
    if (!tokens.lookingAt()) {
      throw damaged("it is not a Python dictionary");
    }
    token = tokens.group(1);
    tokens.region(tokens.end(), header.length());
  }

  private void expect(String expected) {
    if (!token.equals(expected)) {
      throw damaged("found '%s', expected '%s'".formatted(token, expected));
    }
    advance();
  }

  private static <T> T once(String key, @Nullable T known, T value) {
    if (known != null) {
      throw damaged("the key '" + key + "' occurs twice");
    }
    return value;
  }

  private static DataException damaged(String problem) {
    return new DataException("the header is damaged: " + problem + "; save or download it again");
  }

  private String string() {
    String text = token;
    if (!text.startsWith("'") && !text.startsWith("\"")) {
      throw damaged("found '%s', expected a quoted string".formatted(text));
    }
    advance();
    return text.substring(1, text.length() - 1);
  }

  private String description() {
    if (token.equals("[")) {
      throw new DataException(
          "contains records of several fields; save each field as a separate file");
    }
    return string();
  }

  private boolean truth() {
    String word = token;
    if (!word.equals("True") && !word.equals("False")) {
      throw damaged("fortran_order is " + word + "; expected True or False");
    }
    advance();
    return word.equals("True");
  }

  /// Parses `()`, `(3,)` or `(3, 4)`. `(3)` is a number in Python, not a shape.
  private Shape shape() {
    List<Integer> sizes = new ArrayList<>();
    boolean endsWithComma = true;
    expect("(");
    while (!token.equals(")")) {
      if (!endsWithComma) {
        throw damaged("a comma is missing in the shape");
      }
      sizes.add(size());
      endsWithComma = token.equals(",");
      if (endsWithComma) {
        advance();
      }
    }
    expect(")");
    if (sizes.size() == 1 && !endsWithComma) {
      throw damaged("the shape is a number; expected (" + sizes.getFirst() + ",)");
    }
    return shape(sizes);
  }

  private int size() {
    String digits = token;
    if (!digits.matches("0|[1-9][0-9]*")) {
      throw damaged("the shape has the invalid size '" + digits + "'");
    }
    advance();
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw tooLarge("a size of " + digits);
    }
  }

  private static Shape shape(List<Integer> sizes) {
    try {
      return Shape.ofArray(sizes.stream().mapToInt(Integer::intValue).toArray());
    } catch (ShapeException e) {
      throw tooLarge("the shape " + sizes);
    }
  }

  private static DataException tooLarge(String announced) {
    return new DataException(
        "declares " + announced + ", more than an array can hold; save it in parts");
  }

  private static NpyType type(String description) {
    NpyType type = description.matches("[<>|].*") ? NpyType.named(description.substring(1)) : null;
    if (description.matches("[<>|]?O.*")) {
      throw new DataException(
          "contains pickled objects, which could execute code when read; save numbers instead");
    }
    if (type == null || (description.startsWith("|") && type.width() > 1)) {
      throw new DataException(
          ("contains values of the type '%s'; save float16, float32, float64, int64, int32, uint8"
                  + " or bool, such as array.astype('float32')")
              .formatted(description));
    }
    return type;
  }

  private static ByteOrder order(String description) {
    return description.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
