// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.ReadBudget;
import dev.tensorbus.models.data.TextLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads texts word by word.
public final class Texts {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String[] NONE = {};

  /// Approximate memory of an occurrence of a known word, in bytes.
  private static final int BYTES_PER_PLACE = 8;

  /// Approximate memory of a new word, in bytes.
  private static final int BYTES_PER_WORD = 128;

  private Texts() {}

  /// Reads the whitespace-separated words of a UTF-8 file, and adds [Vocabulary#END] after each
  /// line. Equal words share one string.
  ///
  /// @throws DataException if the file cannot be read, contains no word, or exceeds its
  ///     [ReadBudget]
  public static List<String> read(Path file) {
    List<String> words = new ArrayList<>();
    Map<String, String> known = new HashMap<>();
    ReadBudget budget = ReadBudget.of(file);
    TextLines.forEach(
        file,
        budget,
        line -> {
          for (String word : line.isBlank() ? NONE : BLANKS.split(line.strip())) {
            budget.take(1, known.containsKey(word) ? BYTES_PER_PLACE : BYTES_PER_WORD);
            words.add(known.computeIfAbsent(word, _ -> word));
          }
          words.add(Vocabulary.END);
        });
    if (known.isEmpty()) {
      throw new DataException(file + ": contains no words; use a plain text file");
    }
    return words;
  }
}
