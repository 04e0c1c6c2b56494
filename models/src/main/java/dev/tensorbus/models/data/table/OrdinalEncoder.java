// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Encodes categorical columns as indices for [dev.tensorbus.nn.Embedding]. Index 0 stands for
/// unknown and missing values, and category `i` has the index `i + 1`. Like scikit-learn's
/// `OrdinalEncoder` with an `unknown_value`. Save it beside the model, as a component of the
/// settings record.
///
/// @param columns names of the columns
/// @param categories the categories of each column, sorted
public record OrdinalEncoder(List<String> columns, List<List<String>> categories) {
  /// @throws IllegalArgumentException if the lists have different sizes
  public OrdinalEncoder {
    if (categories.size() != columns.size()) {
      throw new IllegalArgumentException(
          "encoder: %d columns and categories of %d; expected the same number"
              .formatted(columns.size(), categories.size()));
    }
    columns = List.copyOf(columns);
    categories = categories.stream().map(List::copyOf).toList();
  }

  /// Learns the categories of columns: the distinct strings that are not empty.
  ///
  /// @throws dev.tensorbus.models.data.DataException if there is no such column
  public static OrdinalEncoder fit(Table training, String... columns) {
    List<List<String>> categories = new ArrayList<>();
    for (String column : columns) {
      categories.add(
          training.strings(column).stream()
              .filter(text -> !text.isEmpty())
              .distinct()
              .sorted()
              .toList());
    }
    return new OrdinalEncoder(List.of(columns), categories);
  }

  /// Returns the number of indices of each column, including 0: the sizes of the embeddings.
  public List<Integer> sizes() {
    return categories.stream().map(names -> names.size() + 1).toList();
  }

  /// Returns the indices of a table's fields as int64 `[n, k]`, in the order of [#columns].
  ///
  /// @throws dev.tensorbus.models.data.DataException if there is no such column
  public Tensor transform(Table table) {
    long[] indices = new long[Shape.of(table.size(), columns.size()).elements()];
    for (int column = 0; column < columns.size(); column++) {
      Map<String, Integer> known = new HashMap<>();
      for (String category : categories.get(column)) {
        known.put(category, known.size() + 1);
      }
      int next = column;
      for (String text : table.strings(columns.get(column))) {
        indices[next] = known.getOrDefault(text, 0);
        next += columns.size();
      }
    }
    return Tensor.of(Shape.of(table.size(), columns.size()), indices);
  }
}
