// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.models.data.DataException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    for (String line : lines(file)) {
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

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new DataException(file + ": no such file; give a file of plain text", e);
    } catch (CharacterCodingException e) {
      throw new DataException(file + ": is not UTF-8; give a file of plain text", e);
    } catch (IOException e) {
      throw new DataException(file + ": cannot be read: " + e, e);
    }
  }
}
