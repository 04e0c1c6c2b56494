// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;

/// Standardizes numeric columns: subtracts the mean and divides by the standard deviation, both
/// learned from the training rows. Like scikit-learn's `StandardScaler`, except that missing fields
/// and NaN become 0, the mean. Save it beside the model, as a component of the settings record.
///
/// @param columns names of the columns
/// @param means the mean of each column
/// @param scales the population standard deviation of each column; 1 if the column is constant
public record StandardScaler(List<String> columns, List<Double> means, List<Double> scales) {
  /// @throws IllegalArgumentException if the lists have different sizes
  public StandardScaler {
    if (means.size() != columns.size() || scales.size() != columns.size()) {
      throw new IllegalArgumentException(
          "scaler: %d columns, %d means and %d scales; expected the same number of each"
              .formatted(columns.size(), means.size(), scales.size()));
    }
    columns = List.copyOf(columns);
    means = List.copyOf(means);
    scales = List.copyOf(scales);
  }

  /// Learns the means and deviations of numeric columns. Ignores missing fields.
  ///
  /// @throws dev.tensorbus.models.data.DataException if there is no such column, or a field is not
  ///     a number
  /// @throws IllegalArgumentException if a column has no numbers, or an infinite one
  public static StandardScaler fit(Table training, String... columns) {
    List<Double> means = new ArrayList<>();
    List<Double> scales = new ArrayList<>();
    for (String column : columns) {
      float[] values = training.withMissing(Float.NaN).tensor(column).values();
      double sum = 0;
      int count = 0;
      for (float value : values) {
        sum += Float.isNaN(value) ? 0 : value;
        count += Float.isNaN(value) ? 0 : 1;
      }
      double mean = sum / count;
      if (!Double.isFinite(mean)) {
        throw new IllegalArgumentException(
            "scaler: column \"%s\" has %s; leave the column out"
                .formatted(column, count == 0 ? "no numbers" : "infinite numbers"));
      }
      double squares = 0;
      for (float value : values) {
        squares += Float.isNaN(value) ? 0 : (value - mean) * (value - mean);
      }
      means.add(mean);
      scales.add(squares == 0 ? 1 : Math.sqrt(squares / count));
    }
    return new StandardScaler(List.of(columns), means, scales);
  }

  /// Returns the standardized columns of a table as float32 `[n, k]`, in the order of [#columns].
  ///
  /// @throws dev.tensorbus.models.data.DataException if there is no such column, or a field is not
  ///     a number
  public Tensor transform(Table table) {
    float[] values = table.withMissing(Float.NaN).tensor(columns.toArray(String[]::new)).values();
    float[] scaled = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      int column = i % columns.size();
      scaled[i] =
          Float.isNaN(values[i])
              ? 0
              : (float) ((values[i] - means.get(column)) / scales.get(column));
    }
    return Tensor.of(Shape.of(table.size(), columns.size()), scaled);
  }
}
