// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.models.data.ReadBudget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The strings of one column of a table, stored contiguously as UTF-8. A short string takes a tenth
/// of the memory that a `String` would take.
final class TextColumn {
  /// Maximum array length that all JVMs support.
  private static final int MOST = Integer.MAX_VALUE - 8;

  private final ReadBudget budget;
  private byte[] bytes = new byte[256];
  private int[] ends = new int[64];
  private int size;

  TextColumn(ReadBudget budget) {
    this.budget = budget;
  }

  /// Appends a string. Returns false if the column is full.
  ///
  /// @throws dev.tensorbus.models.data.DataException if the budget is exceeded
  boolean add(String text) {
    byte[] added = text.getBytes(StandardCharsets.UTF_8);
    int start = start(size);
    if (added.length > MOST - start || size == MOST) {
      return false;
    }
    int end = start + added.length;
    if (end > bytes.length) {
      int grown = grown(bytes.length, end);
      budget.take(grown - bytes.length, Byte.BYTES);
      bytes = Arrays.copyOf(bytes, grown);
    }
    if (size == ends.length) {
      int grown = grown(ends.length, size + 1);
      budget.take(grown - ends.length, Integer.BYTES);
      ends = Arrays.copyOf(ends, grown);
    }
    System.arraycopy(added, 0, bytes, start, added.length);
    ends[size++] = end;
    return true;
  }

  private int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  private static int grown(int length, int needed) {
    return Math.max(needed, (int) Math.min(MOST, length + (length >> 1) + 1L));
  }

  /// Returns the string in a row.
  String text(int row) {
    int start = start(row);
    return new String(bytes, start, ends[row] - start, StandardCharsets.UTF_8);
  }

  /// Returns whether a field is blank.
  boolean isMissing(int row) {
    for (int i = start(row); i < ends[row]; i++) {
      if (bytes[i] != ' ') {
        return text(row).isBlank();
      }
    }
    return true;
  }

  /// @throws NumberFormatException if the field is not a number; the message says why
  float float32(int row) {
    return Numbers.float32(text(row).strip());
  }

  /// @throws NumberFormatException if the field is not an integer; the message says why
  long int64(int row) {
    return Numbers.int64(text(row).strip());
  }
}
