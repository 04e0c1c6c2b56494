// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.ReadBudget;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads the records of a CSV file in order, as RFC 4180 defines them. Also accepts a single line
/// feed or carriage return as the end of a line. Skips empty lines.
final class CsvRecords {
  /// The maximum length of a field, in characters: the default of Python's `csv.field_size_limit`.
  /// Prevents a missing quote from turning the rest of a large file into one field.
  static final int LONGEST_FIELD = 131_072;

  /// Approximate memory of an empty column without its name, in bytes.
  private static final int BYTES_PER_COLUMN = 768;

  private static final int SHOWN = 40;
  private static final int END = -1;

  /// Some Windows programs write this character at the start of a file.
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final Path file;
  private final Reader in;
  private final char separator;
  private final ReadBudget budget;
  private final char[] buffer = new char[1 << 16];
  private int filled;
  private int next;

  private final List<String> fields = new ArrayList<>();
  private final StringBuilder field = new StringBuilder();
  private int reachedLine = 1;
  private int firstLine = 1;
  private boolean isStarted;
  private boolean isAfterReturn;

  CsvRecords(Path file, Reader in, char separator, ReadBudget budget) {
    this.file = file;
    this.in = in;
    this.separator = separator;
    this.budget = budget;
  }

  /// Reads the first record, which names the columns. Returns false if the file is empty.
  ///
  /// @throws DataException under the same conditions as [#next], or if the columns exceed the
  ///     budget
  boolean header() throws IOException {
    if (!begins()) {
      return false;
    }
    do {
      readField();
      budget.take(1, BYTES_PER_COLUMN + Character.BYTES * fields.getLast().length());
    } while (continues());
    return true;
  }

  /// Reads the next record. Returns false at the end of the file.
  ///
  /// @param columns expected number of fields; reads at most one more
  /// @throws DataException if a quote is missing or misplaced, a field is too long, or the file is
  ///     not UTF-8
  boolean next(int columns) throws IOException {
    if (!begins()) {
      return false;
    }
    do {
      readField();
    } while (fields.size() <= columns && continues());
    return true;
  }

  /// Advances to the start of the next record. Returns false at the end of the file.
  private boolean begins() throws IOException {
    fields.clear();
    while (peek() == '\r' || peek() == '\n') {
      take();
    }
    firstLine = reachedLine;
    return peek() != END;
  }

  /// Advances to the next field of this record. Returns false at the end of the record.
  private boolean continues() throws IOException {
    boolean continues = peek() == separator;
    if (continues) {
      take();
    }
    return continues;
  }

  /// Returns the fields of this record.
  List<String> fields() {
    return fields;
  }

  /// Returns the line number at which this record starts, from 1.
  int line() {
    return firstLine;
  }

  private void readField() throws IOException {
    field.setLength(0);
    if (peek() == '"') {
      readQuoted();
    } else {
      readPlain();
    }
    fields.add(field.toString());
  }

  private void readPlain() throws IOException {
    while (!isFieldEnd(peek())) {
      append(take(), reachedLine);
      if (peek() == '"') {
        throw broken(
            reachedLine,
            "contains a quote; enclose the field in quotes and double the quotes inside");
      }
    }
  }

  private void readQuoted() throws IOException {
    int openedOn = reachedLine;
    take();
    while (true) {
      int taken = take();
      if (taken == END) {
        throw broken(openedOn, "has an opening quote without a closing one; close it or double it");
      }
      if (taken == '"' && peek() != '"') {
        break;
      }
      append(taken == '"' ? take() : taken, openedOn);
    }
    if (!isFieldEnd(peek())) {
      throw broken(reachedLine, "continues after its closing quote; double quotes inside a field");
    }
  }

  private boolean isFieldEnd(int character) {
    return character == separator || character == '\n' || character == '\r' || character == END;
  }

  private void append(int character, int line) {
    if (field.length() == LONGEST_FIELD) {
      throw broken(line, "has more than 131,072 characters; look for an unclosed quote");
    }
    field.append((char) character);
  }

  private DataException broken(int line, String problem) {
    return wrong(file, line, String.valueOf(fields.size() + 1), field.toString(), problem);
  }

  /// Returns an exception about a field of this record.
  ///
  /// @param index index of the field in [#fields]
  DataException wrong(int index, String problem) {
    return wrong(file, firstLine, String.valueOf(index + 1), fields.get(index), problem);
  }

  /// Returns an exception whose message names the file, the line and the column.
  ///
  /// @param column number of the column, or its name in quotes
  /// @param text the field, or its start
  /// @param problem what is wrong with the field, and what to do
  static DataException wrong(Path file, int line, String column, String text, String problem) {
    return new DataException(
        "%s: line %d, column %s: %s %s".formatted(file, line, column, quoted(text), problem));
  }

  /// Quotes the start of a string for a one-line message.
  static String quoted(String text) {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    return '"' + shown.replaceAll("\\p{Cntrl}", " ") + '"';
  }

  private int peek() throws IOException {
    while (next == filled && filled != END) {
      fill();
    }
    return filled == END ? END : buffer[next];
  }

  private int take() throws IOException {
    int taken = peek();
    if (taken == END) {
      return END;
    }
    next++;
    if (taken == '\r' || (taken == '\n' && !isAfterReturn)) {
      reachedLine++;
    }
    isAfterReturn = taken == '\r';
    return taken;
  }

  private void fill() throws IOException {
    try {
      filled = in.read(buffer);
    } catch (CharacterCodingException e) {
      throw new DataException(
          "%s: is not UTF-8 at line %d or later; save it as UTF-8".formatted(file, reachedLine), e);
    }
    next = isStarted || filled == END || buffer[0] != BYTE_ORDER_MARK ? 0 : 1;
    isStarted = true;
  }
}
