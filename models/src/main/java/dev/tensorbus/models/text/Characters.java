// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// A character vocabulary: maps characters to ids and back. Immutable.
public final class Characters {
  private final int[] known;

  private Characters(int... known) {
    this.known = known;
  }

  /// Returns the vocabulary of a text. Ids are assigned in the order of the code points.
  public static Characters of(String text) {
    return new Characters(text.codePoints().distinct().sorted().toArray());
  }

  /// Returns the number of characters.
  public int size() {
    return known.length;
  }

  /// Encodes a string as character ids, int64 `[n]`.
  ///
  /// @throws IllegalArgumentException if the vocabulary lacks a character
  public Tensor encode(String text) {
    return Tensor.ofLongs(text.codePoints().mapToLong(this::number).toArray());
  }

  private long number(int character) {
    int number = Arrays.binarySearch(known, character);
    if (number < 0) {
      throw new IllegalArgumentException(
          "the character \"%s\" does not occur in the training text; remove it"
              .formatted(Character.toString(character)));
    }
    return number;
  }

  /// Decodes character ids to a string.
  ///
  /// @param numbers the ids, int64 of any shape
  /// @throws IndexOutOfBoundsException if an id is not in the vocabulary
  public String decode(Tensor numbers) {
    StringBuilder text = new StringBuilder();
    for (long number : numbers.longs()) {
      text.appendCodePoint(known[(int) number]);
    }
    return text.toString();
  }
}
