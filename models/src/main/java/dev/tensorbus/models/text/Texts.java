// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.TextLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads texts word by word.
public final class Texts {
  private Texts() {}

  /// The words of a file in UTF-8: what stands between blanks, and [Vocabulary#END] after each
  /// line.
  ///
  /// @throws DataException if the file cannot be read or holds no word
  public static List<String> read(Path file) {
    List<String> words = new ArrayList<>();
    boolean isEmpty = true;
    Dataset<String> lines = TextLines.read(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank()) {
        words.addAll(List.of(line.strip().split("\\s+")));
        isEmpty = false;
      }
      words.add(Vocabulary.END);
    }
    if (isEmpty) {
      throw new DataException(file + ": holds no word; give a file of plain text");
    }
    return words;
  }
}
