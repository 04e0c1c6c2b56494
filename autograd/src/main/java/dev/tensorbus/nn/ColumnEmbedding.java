// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Replaces each category in the rows of a table with a learned vector. The first columns of a row
/// are numbers, which do not change; the others are indices of categories. Each column of
/// categories has its own vectors.
///
/// ```java
/// var columns = new ColumnEmbedding(2, List.of(7, 4), 8, random); // 2 numbers, 2 categories
/// Tensor values = columns.forward(rows); // [n, 4] becomes [n, 18]
/// ```
public final class ColumnEmbedding extends Layer implements Forward {
  private final int numbers;
  private final List<Tensor> weights = new ArrayList<>();

  /// Creates a layer with standard normal vectors. The vector of index 0, which stands for unknown
  /// and missing categories, is initially zero.
  ///
  /// @param numbers how many columns of numbers a row has
  /// @param categories how many indices each column of categories has
  /// @param size the size of the vectors
  public ColumnEmbedding(int numbers, List<Integer> categories, int size, RandomGenerator random) {
    this.numbers = numbers;
    for (int rows : categories) {
      Shape shape = Shape.of(rows, size);
      float[] values = Initializers.normal(shape.elements(), random);
      Arrays.fill(values, 0, size, 0f);
      weights.add(parameter("weight" + weights.size(), shape, values));
    }
  }

  /// Returns the numbers of each row `[n, columns]`, followed by the vectors of its categories.
  ///
  /// @throws ShapeException if the rows have another number of columns
  /// @throws IllegalArgumentException if the index of a category is out of range
  @Override
  public Tensor forward(Tensor rows) {
    Shape shape = rows.shape();
    if (shape.rank() != 2 || shape.size(1) != numbers + weights.size()) {
      throw new ShapeException(
          "column embedding",
          "rows have the shape %s; expected [n, %d]: numbers %d, categories %d"
              .formatted(shape, numbers + weights.size(), numbers, weights.size()));
    }
    List<Tensor> parts = new ArrayList<>(List.of(rows.slice(1, 0, numbers)));
    for (int i = 0; i < weights.size(); i++) {
      Tensor indices = rows.select(1, numbers + i).to(DType.INT64);
      parts.add(Embeddings.embedding(indices, weights.get(i), false));
    }
    return Tensor.concatenate(parts, 1);
  }
}
