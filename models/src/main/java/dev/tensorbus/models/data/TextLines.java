// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads text files line by line.
public final class TextLines {
  /// Approximate memory of a line without its characters, in bytes.
  private static final int BYTES_PER_LINE = 64;

  private TextLines() {}

  /// Reads the lines of a UTF-8 file into memory, without their line breaks.
  ///
  /// @throws DataException if the file cannot be read, is not UTF-8, or exceeds its [ReadBudget]
  public static Dataset<String> read(Path file) {
    List<String> lines = new ArrayList<>();
    forEach(file, ReadBudget.of(file), lines::add);
    return Dataset.of(lines);
  }

  /// Passes each line of a UTF-8 file, without its line break, to `action`.
  ///
  /// @param budget the memory budget, which is charged for every line as if all lines were retained
  /// @throws DataException under the same conditions as [#read]
  public static void forEach(Path file, ReadBudget budget, Consumer<String> action) {
    try (BufferedReader in =
        new BufferedReader(new CountedReader(Files.newBufferedReader(file), budget))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        action.accept(line);
      }
    } catch (NoSuchFileException e) {
      throw new DataException(file + ": no such file; use a plain text file", e);
    } catch (CharacterCodingException e) {
      throw new DataException(file + ": is not UTF-8; use a plain text file", e);
    } catch (IOException e) {
      throw new DataException(file + ": cannot be read: " + e, e);
    }
  }

  /// Charges the budget while a line is being read, since a single line may exceed the budget.
  private static final class CountedReader extends FilterReader {
    /// A `BufferedReader` holds three copies of a line while it assembles the string.
    private static final int COPIES = 3;

    private final ReadBudget budget;
    private long line;

    CountedReader(Reader in, ReadBudget budget) {
      super(in);
      this.budget = budget;
    }

    @Override
    public int read(char[] buffer, int from, int length) throws IOException {
      int read = super.read(buffer, from, length);
      for (int i = from; i < from + read; i++) {
        line++;
        if (buffer[i] == '\n') {
          budget.take(1, BYTES_PER_LINE);
          line = 0;
        }
      }
      budget.take(Math.max(0, read), Character.BYTES);
      budget.requireLeft(line, (COPIES - 1) * Character.BYTES);
      return read;
    }
  }
}
