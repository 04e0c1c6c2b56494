// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The words that a language model knows, each with a number. Immutable.
public final class Vocabulary {
  /// Stands for every word that is not known.
  public static final String UNKNOWN = "<unk>";

  /// Ends a line.
  public static final String END = "<eos>";

  private final Map<String, Integer> numbers;
  private final List<String> words;

  private Vocabulary(Map<String, Integer> numbers) {
    this.numbers = numbers;
    this.words = List.copyOf(numbers.keySet());
  }

  /// The words of a text, by their first appearance, after [#UNKNOWN] and [#END].
  public static Vocabulary of(List<String> text) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put(UNKNOWN, 0);
    numbers.put(END, 1);
    text.forEach(word -> numbers.putIfAbsent(word, numbers.size()));
    return new Vocabulary(numbers);
  }

  /// How many words there are.
  public int size() {
    return words.size();
  }

  /// The word of this number.
  public String word(int number) {
    return words.get(Objects.checkIndex(number, words.size()));
  }

  /// The number of this word, or of [#UNKNOWN].
  public int number(String word) {
    return numbers.getOrDefault(word, 0);
  }

  /// The numbers of a text's words.
  public int[] encode(List<String> text) {
    return text.stream().mapToInt(this::number).toArray();
  }
}
