// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// The rows of a table, split randomly into training rows and test rows. Generators with equal
/// seeds yield equal splits. Like scikit-learn's `train_test_split`.
///
/// @param training rows for the training
/// @param test rows for validation or tests
public record TrainTestSplit(Table training, Table test) {
  /// Splits a table.
  ///
  /// @param testSize the share of the test rows, between 0 and 1
  /// @throws IllegalArgumentException if the share is not between 0 and 1
  public static TrainTestSplit of(Table table, double testSize, RandomGenerator random) {
    return of(table, List.of(IntStream.range(0, table.size()).boxed().toList()), testSize, random);
  }

  /// Splits a table such that each value of a column has its share in both parts, for example each
  /// class.
  ///
  /// @param testSize the share of the test rows, between 0 and 1
  /// @throws IllegalArgumentException if the share is not between 0 and 1
  /// @throws dev.tensorbus.models.data.DataException if there is no such column
  public static TrainTestSplit stratified(
      Table table, String column, double testSize, RandomGenerator random) {
    Map<String, List<Integer>> strata = new LinkedHashMap<>();
    int row = 0;
    for (String value : table.strings(column)) {
      strata.computeIfAbsent(value, _ -> new ArrayList<>()).add(row++);
    }
    return of(table, strata.values(), testSize, random);
  }

  private static TrainTestSplit of(
      Table table, Collection<List<Integer>> strata, double testSize, RandomGenerator random) {
    if (!(testSize > 0 && testSize < 1)) {
      throw new IllegalArgumentException(
          "split: the test size is %s; expected a share between 0 and 1".formatted(testSize));
    }
    List<Integer> training = new ArrayList<>();
    List<Integer> test = new ArrayList<>();
    for (List<Integer> stratum : strata) {
      List<Integer> shuffled = new ArrayList<>(stratum);
      Collections.shuffle(shuffled, random);
      int held = (int) Math.round(testSize * shuffled.size());
      test.addAll(shuffled.subList(0, held));
      training.addAll(shuffled.subList(held, shuffled.size()));
    }
    return new TrainTestSplit(subset(table, training), subset(table, test));
  }

  private static Table subset(Table table, List<Integer> rows) {
    return table.subset(rows.stream().mapToInt(Integer::intValue).toArray());
  }
}
