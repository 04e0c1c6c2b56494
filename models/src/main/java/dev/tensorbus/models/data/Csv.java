// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A table from a CSV file (RFC 4180) in UTF-8. The first record names the columns. Immutable.
///
/// ```java
/// Csv flowers = Csv.read(Path.of("iris.csv"));
/// Tensor inputs = flowers.tensor("sepal_length", "sepal_width"); // [150, 2]
/// Csv.Classes species = flowers.classes("species");
/// Dataset<Example> examples = TensorDataset.examples(inputs, species.labels());
/// ```
///
/// Strings keep their surrounding whitespace; numbers ignore it. Fields are parsed when a tensor is
/// requested. In [#tensor], `nan` and `inf` are numbers, and an empty field is an error unless
/// [#withMissing] provides a value.
public final class Csv {
  private final Path file;
  private final Map<String, TextColumn> columns;
  private final int[] lines;
  private final @Nullable Float missing;

  private Csv(Path file, Map<String, TextColumn> columns, int[] lines, @Nullable Float missing) {
    this.file = file;
    this.columns = columns;
    this.lines = lines;
    this.missing = missing;
  }

  /// Reads a comma-separated file.
  ///
  /// @throws DataException if the file cannot be read, is not UTF-8, has no header, names a column
  ///     twice, contains a misplaced quote or a record with more or fewer fields than the header,
  ///     or exceeds its [ReadBudget]
  public static Csv read(Path file) {
    return read(file, ',');
  }

  /// Reads a file with the given separator, such as `;` or a tab.
  ///
  /// @throws IllegalArgumentException if the separator is a quote or a line break
  /// @throws DataException under the same conditions as [#read(Path)]
  public static Csv read(Path file, char separator) {
    if (separator == '"' || separator == '\n' || separator == '\r') {
      throw new IllegalArgumentException(
          "the separator is a quote or a line break; use another character");
    }
    try (Reader in = Files.newBufferedReader(file)) {
      ReadBudget budget = ReadBudget.of(file);
      return read(file, new CsvRecords(file, in, separator, budget), budget);
    } catch (IOException e) {
      throw new DataException(
          file + ": cannot be read (" + e + "); check that it is a readable file", e);
    }
  }

  private static Csv read(Path file, CsvRecords records, ReadBudget budget) throws IOException {
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
    return new Csv(file, columns, Arrays.copyOf(lines, rows), null);
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

  /// Returns a copy in which [#tensor] replaces empty fields with `value`, such as `Float.NaN`.
  public Csv withMissing(float value) {
    return new Csv(file, columns, lines, value);
  }

  /// Returns the column names, from left to right.
  public List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  /// Returns the number of rows.
  public int size() {
    return lines.length;
  }

  /// Returns the named columns as float32 `[n, k]`, or all columns if no name is given.
  ///
  /// @throws DataException if there is no such column, or a field is not a float32 number
  public Tensor tensor(String... names) {
    List<String> chosen = names.length == 0 ? columns() : List.of(names);
    Shape shape = Shape.of(size(), chosen.size());
    float[] values = new float[shape.elements()];
    for (int column = 0; column < chosen.size(); column++) {
      String name = chosen.get(column);
      TextColumn texts = column(name);
      for (int row = 0; row < size(); row++) {
        values[row * chosen.size() + column] = number(name, row, texts.get(row));
      }
    }
    return Tensor.of(shape, values);
  }

  private TextColumn column(String name) {
    TextColumn column = columns.get(name);
    if (column == null) {
      throw new DataException(
          file + ": no column \"" + name + "\"; expected one of " + columns.keySet());
    }
    return column;
  }

  private float number(String column, int row, String text) {
    String number = text.strip();
    if (number.isEmpty()) {
      if (missing == null) {
        throw wrong(column, row, text, "is empty; fill it in, or set a value with withMissing");
      }
      return missing;
    }
    try {
      return CsvNumbers.float32(number);
    } catch (NumberFormatException e) {
      throw wrong(column, row, text, Objects.requireNonNull(e.getMessage()));
    }
  }

  private DataException wrong(String column, int row, String text, String problem) {
    return CsvRecords.wrong(file, lines[row], CsvRecords.quoted(column), text, problem);
  }

  /// Returns a column of integers, such as numeric classes, as int64 `[n]`.
  ///
  /// @throws DataException if there is no such column, or a field is not an int64 number
  public Tensor longs(String column) {
    TextColumn texts = column(column);
    return Tensor.ofLongs(
        IntStream.range(0, size()).mapToLong(row -> whole(column, row, texts.get(row))).toArray());
  }

  private long whole(String column, int row, String text) {
    try {
      return CsvNumbers.int64(text.strip());
    } catch (NumberFormatException e) {
      throw wrong(column, row, text, Objects.requireNonNull(e.getMessage()));
    }
  }

  /// Returns a column of strings.
  ///
  /// @throws DataException if there is no such column
  public List<String> strings(String column) {
    TextColumn texts = column(column);
    return IntStream.range(0, size()).mapToObj(texts::get).toList();
  }

  /// Encodes a column of strings as class indices. Classes are numbered in the order of the sorted
  /// strings, so that "10" comes before "9".
  ///
  /// @throws DataException if there is no such column, or a field is empty
  public Classes classes(String column) {
    return classes(column, strings(column).stream().distinct().sorted().toList());
  }

  /// Encodes each string in a column as its index in `names`, such as the classes of another file.
  ///
  /// @throws DataException if there is no such column, or a field is empty or not in `names`
  public Classes classes(String column, List<String> names) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    names.forEach(name -> numbers.putIfAbsent(name, numbers.size()));
    List<String> texts = strings(column);
    long[] labels = new long[texts.size()];
    for (int row = 0; row < labels.length; row++) {
      String text = texts.get(row);
      Integer number = numbers.get(text);
      if (text.isEmpty()) {
        throw wrong(column, row, text, "is empty, not a class; fill it in");
      }
      if (number == null) {
        throw wrong(column, row, text, "is not a class; expected one of " + names);
      }
      labels[row] = number;
    }
    return new Classes(List.copyOf(numbers.keySet()), Tensor.ofLongs(labels));
  }

  /// A column of strings, encoded as class indices.
  ///
  /// @param names the name of each class
  /// @param labels the class index of each row, int64 `[n]`
  public record Classes(List<String> names, Tensor labels) {}
}
