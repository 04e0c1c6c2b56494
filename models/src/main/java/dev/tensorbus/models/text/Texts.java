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

  /// About the memory of a place in the text, and of a word that has not come before.
  private static final int BYTES_PER_PLACE = 8;

  private static final int BYTES_PER_WORD = 128;

  private Texts() {}

  /// The words of a file in UTF-8: what stands between blanks, and [Vocabulary#END] after each
  /// line. Equal words are one string.
  ///
  /// @throws DataException if the file cannot be read, holds no word, or takes more memory than its
  ///     [ReadBudget] has
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
      throw new DataException(file + ": holds no word; give a file of plain text");
    }
    return words;
  }
}
