// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.util.List;

/// Prepares the columns of a table for a network: scales the numbers and encodes the categories.
/// Like scikit-learn's `ColumnTransformer`. Save it beside the model, as the settings record.
///
/// ```java
/// var columns =
///     new ColumnTransformer(
///         StandardScaler.fit(training, "age", "income"), OrdinalEncoder.fit(training, "city"));
/// Tensor inputs = columns.transform(training); // [n, 3]
/// ```
public record ColumnTransformer(StandardScaler scaler, OrdinalEncoder encoder) {
  /// Returns the prepared columns of a table as float32 `[n, k]`: the standardized numbers, then
  /// the indices of the categories. [dev.tensorbus.nn.ColumnEmbedding] takes them.
  ///
  /// @throws dev.tensorbus.models.data.DataException if there is no such column, or a field is not
  ///     a number
  public Tensor transform(Table table) {
    return Tensor.concatenate(
        List.of(scaler.transform(table), encoder.transform(table).to(DType.FLOAT32)), 1);
  }
}
