// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// The characters that a language model knows, each with a number. Immutable.
public final class Characters {
  private final int[] known;

  private Characters(int... known) {
    this.known = known;
  }

  /// The characters of a text, by their code points.
  public static Characters of(String text) {
    return new Characters(text.codePoints().distinct().sorted().toArray());
  }

  /// How many characters there are.
  public int size() {
    return known.length;
  }

  /// The number of each character of a text, int64 `[n]`.
  ///
  /// @throws IllegalArgumentException if a character is not known
  public Tensor encode(String text) {
    return Tensor.ofLongs(text.codePoints().mapToLong(this::number).toArray());
  }

  private long number(int character) {
    int number = Arrays.binarySearch(known, character);
    if (number < 0) {
      throw new IllegalArgumentException(
          "the character \"%s\" does not come in the text that was read; leave it out"
              .formatted(Character.toString(character)));
    }
    return number;
  }

  /// The text of these numbers.
  ///
  /// @param numbers int64, of any shape
  /// @throws IndexOutOfBoundsException if one is no character's
  public String decode(Tensor numbers) {
    StringBuilder text = new StringBuilder();
    for (long number : numbers.longs()) {
      text.appendCodePoint(known[(int) number]);
    }
    return text.toString();
  }
}
