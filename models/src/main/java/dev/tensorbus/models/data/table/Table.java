// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A table with named columns, from a CSV file. Like a pandas `DataFrame`. Immutable.
///
/// ```java
/// Table flowers = Table.readCsv(Path.of("iris.csv"));
/// Tensor inputs = flowers.tensor("sepal_length", "sepal_width"); // [150, 2]
/// Table.Classes species = flowers.classes("species");
/// Dataset<Example> examples = TensorDataset.examples(inputs, species.labels());
/// ```
///
/// Fields of a CSV file are parsed when a tensor is requested. Strings keep their surrounding
/// whitespace; numbers ignore it. In [#tensor], `nan` and `inf` are numbers, and an empty field,
/// which is a missing value, is an error unless [#withMissing] provides a value.
public final class Table {
  private final Path file;
  private final Map<String, TextColumn> columns;
  private final int[] lines;
  private final int[] rows;
  private final @Nullable Float missing;

  /// @param lines line number of each row, for messages
  Table(Path file, Map<String, TextColumn> columns, int[] lines) {
    this(file, columns, lines, IntStream.range(0, lines.length).toArray(), null);
  }

  private Table(
      Path file,
      Map<String, TextColumn> columns,
      int[] lines,
      int[] rows,
      @Nullable Float missing) {
    this.file = file;
    this.columns = columns;
    this.lines = lines;
    this.rows = rows;
    this.missing = missing;
  }

  /// Reads a comma-separated file (RFC 4180) in UTF-8, whose first record names the columns.
  ///
  /// @throws DataException if the file cannot be read, is not UTF-8, has no header, names a column
  ///     twice, contains a misplaced quote or a record with more or fewer fields than the header,
  ///     or exceeds its [dev.tensorbus.models.data.ReadBudget]
  public static Table readCsv(Path file) {
    return readCsv(file, ',');
  }

  /// Reads a file with the given separator, such as `;` or a tab.
  ///
  /// @throws IllegalArgumentException if the separator is a quote or a line break
  /// @throws DataException under the same conditions as [#readCsv(Path)]
  public static Table readCsv(Path file, char separator) {
    if (separator == '"' || separator == '\n' || separator == '\r') {
      throw new IllegalArgumentException(
          "the separator is a quote or a line break; use another character");
    }
    return Csv.read(file, separator);
  }

  /// Returns a copy in which [#tensor] replaces missing fields with `value`, such as `Float.NaN`.
  public Table withMissing(float value) {
    return new Table(file, columns, lines, rows, value);
  }

  /// Returns the rows with the given indices.
  ///
  /// @throws IndexOutOfBoundsException if an index is negative or not below [#size]
  public Table subset(int... indices) {
    int[] chosen =
        IntStream.of(indices).map(index -> rows[Objects.checkIndex(index, rows.length)]).toArray();
    return new Table(file, columns, lines, chosen, missing);
  }

  /// Returns the column names, from left to right.
  public List<String> columns() {
    return List.copyOf(columns.keySet());
  }

  /// Returns the number of rows.
  public int size() {
    return rows.length;
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
      TextColumn fields = column(name);
      for (int row = 0; row < rows.length; row++) {
        values[row * chosen.size() + column] = float32(name, fields, rows[row]);
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

  private float float32(String name, TextColumn column, int row) {
    if (column.isMissing(row)) {
      if (missing == null) {
        throw wrong(name, row, "is empty; fill it in, or set a value with withMissing");
      }
      return missing;
    }
    try {
      return column.float32(row);
    } catch (NumberFormatException e) {
      throw wrong(name, row, Objects.requireNonNull(e.getMessage()));
    }
  }

  private DataException wrong(String name, int row, String problem) {
    return CsvRecords.wrong(
        file, lines[row], CsvRecords.quoted(name), column(name).text(row), problem);
  }

  /// Returns a column of integers, such as numeric classes, as int64 `[n]`.
  ///
  /// @throws DataException if there is no such column, or a field is not an int64 number
  public Tensor longs(String column) {
    TextColumn fields = column(column);
    return Tensor.ofLongs(
        IntStream.of(rows).mapToLong(row -> int64(column, fields, row)).toArray());
  }

  private long int64(String name, TextColumn column, int row) {
    try {
      if (column.isMissing(row)) {
        throw Numbers.notWhole();
      }
      return column.int64(row);
    } catch (NumberFormatException e) {
      throw wrong(name, row, Objects.requireNonNull(e.getMessage()));
    }
  }

  /// Returns a column of strings. A missing field is an empty string.
  ///
  /// @throws DataException if there is no such column
  public List<String> strings(String column) {
    TextColumn fields = column(column);
    return IntStream.of(rows).mapToObj(fields::text).toList();
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
    Map<String, Integer> indices = new LinkedHashMap<>();
    names.forEach(name -> indices.putIfAbsent(name, indices.size()));
    List<String> texts = strings(column);
    long[] labels = new long[texts.size()];
    for (int row = 0; row < labels.length; row++) {
      String text = texts.get(row);
      Integer index = indices.get(text);
      if (text.isEmpty()) {
        throw wrong(column, rows[row], "is empty, not a class; fill it in");
      }
      if (index == null) {
        throw wrong(column, rows[row], "is not a class; expected one of " + names);
      }
      labels[row] = index;
    }
    return new Classes(List.copyOf(indices.keySet()), Tensor.ofLongs(labels));
  }

  /// A column of strings, encoded as class indices.
  ///
  /// @param names the name of each class
  /// @param labels the class index of each row, int64 `[n]`
  public record Classes(List<String> names, Tensor labels) {}
}
