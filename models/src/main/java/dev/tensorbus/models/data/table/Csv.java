// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.ReadBudget;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the columns of CSV files.
final class Csv {
  private Csv() {}

  static Table read(Path file, char separator) {
    try (Reader in = Files.newBufferedReader(file)) {
      ReadBudget budget = ReadBudget.of(file);
      return read(file, new CsvRecords(file, in, separator, budget), budget);
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be read (" + e + "); check that it is a readable file", e);
    }
  }

  private static Table read(Path file, CsvRecords records, ReadBudget budget) throws IOException {
    if (!records.header()) {
      throw new DataException(file + ": is empty; the first line must name the columns");
    }
    Map<String, TextColumn> columns = columns(records, budget);
    int[] lines = new int[64];
    int rows = 0;
    while (records.next(columns.size())) {
      addRow(records, columns);
      if (rows == lines.length) {
        budget.take(rows, Integer.BYTES);
        lines = Arrays.copyOf(lines, 2 * rows);
      }
      lines[rows++] = records.line();
    }
    return new Table(file, columns, Arrays.copyOf(lines, rows));
  }

  private static Map<String, TextColumn> columns(CsvRecords records, ReadBudget budget) {
    Map<String, TextColumn> columns = new LinkedHashMap<>();
    for (String name : records.fields()) {
      if (columns.put(name, new TextColumn(budget)) != null) {
        throw records.wrong(columns.size(), "is a duplicate; column names must be unique");
      }
    }
    return columns;
  }

  private static void addRow(CsvRecords records, Map<String, TextColumn> columns) {
    List<String> fields = records.fields();
    if (fields.size() != columns.size()) {
      throw records.wrong(
          fields.size() - 1,
          "is %s, but the header has %d fields; correct the line, or use another separator"
              .formatted(
                  fields.size() < columns.size() ? "the last field" : "an extra field",
                  columns.size()));
    }
    int next = 0;
    for (TextColumn column : columns.values()) {
      if (!column.add(fields.get(next))) {
        throw records.wrong(
            next, "does not fit, since a column is limited to 2 GiB; split the file");
      }
      next++;
    }
  }
}
