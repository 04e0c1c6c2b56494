// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads the lines of a file of text.
public final class TextLines {
  private TextLines() {}

  /// The lines of a file in UTF-8, without their line breaks. They are kept in memory.
  ///
  /// @throws DataException if the file cannot be read or is not UTF-8
  public static Dataset<String> read(Path file) {
    try {
      return Dataset.of(Files.readAllLines(file));
    } catch (NoSuchFileException e) {
      throw new DataException(file + ": no such file; give a file of plain text", e);
    } catch (CharacterCodingException e) {
      throw new DataException(file + ": is not UTF-8; give a file of plain text", e);
    } catch (IOException e) {
      throw new DataException(file + ": cannot be read: " + e, e);
    }
  }
}
