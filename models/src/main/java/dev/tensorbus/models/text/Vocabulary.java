// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A word vocabulary: maps words to ids and back. Immutable.
public final class Vocabulary {
  /// Stands for every word that is not in the vocabulary.
  public static final String UNKNOWN = "<unk>";

  /// Marks the end of a line.
  public static final String END = "<eos>";

  private final Map<String, Integer> numbers;
  private final List<String> words;

  private Vocabulary(Map<String, Integer> numbers) {
    this.numbers = numbers;
    this.words = List.copyOf(numbers.keySet());
  }

  /// Returns the vocabulary of a text: [#UNKNOWN], [#END], then its words in the order of their
  /// first occurrence.
  public static Vocabulary of(List<String> text) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put(UNKNOWN, 0);
    numbers.put(END, 1);
    text.forEach(word -> numbers.putIfAbsent(word, numbers.size()));
    return new Vocabulary(numbers);
  }

  /// Returns the number of words.
  public int size() {
    return words.size();
  }

  /// Returns the word with this id.
  public String word(int number) {
    return words.get(Objects.checkIndex(number, words.size()));
  }

  /// Returns the id of a word, or the id of [#UNKNOWN] if the vocabulary lacks it.
  public int number(String word) {
    return numbers.getOrDefault(word, 0);
  }

  /// Encodes words as ids.
  public int[] encode(List<String> text) {
    return text.stream().mapToInt(this::number).toArray();
  }
}
