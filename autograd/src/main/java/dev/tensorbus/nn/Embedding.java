// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A table of learned rows, looked up by number. After `torch.nn.Embedding`.
public final class Embedding extends Layer implements Forward {
  /// No row is padding: no index is less than 0.
  private static final int NO_PADDING = -1;

  private final Tensor weight;
  private final int padding;
  private boolean sparse;

  /// Makes `rows` rows of `size` standard normal values.
  public Embedding(int rows, int size, RandomGenerator random) {
    this(Shape.of(rows, size), NO_PADDING, random);
  }

  private Embedding(Shape shape, int padding, RandomGenerator random) {
    float[] values = Initializers.normal(shape.elements(), random);
    if (padding != NO_PADDING) {
      int size = shape.size(1);
      Arrays.fill(values, padding * size, (padding + 1) * size, 0f);
    }
    this.weight = parameter("weight", shape, values);
    this.padding = padding;
  }

  /// A table whose row `padding`, zeros at first, is not learned: it fills sequences up to the
  /// same length. After torch's `padding_idx`.
  ///
  /// @throws IllegalArgumentException if there is no such row
  public static Embedding withPadding(int rows, int size, int padding, RandomGenerator random) {
    if (padding < 0 || padding >= rows) {
      throw new IllegalArgumentException(
          "embedding: padding %d is not in [0, %d)".formatted(padding, rows));
    }
    return new Embedding(Shape.of(rows, size), padding, random);
  }

  /// Makes the table's gradient one of [rows][dev.tensorbus.autograd.SparseRows], those that were
  /// looked up, or of the whole table, as at first. For large tables and an optimizer that takes
  /// sparse gradients: `Sgd`, `Adagrad`, `SparseAdam`. After torch's `sparse`.
  ///
  /// @return this layer
  public Embedding withSparse(boolean sparse) {
    this.sparse = sparse;
    return this;
  }

  /// Int64 indices of any shape give `[…, size]`.
  ///
  /// @throws IllegalArgumentException if an index is none of a row
  @Override
  public Tensor forward(Tensor indices) {
    Tensor found = Embeddings.embedding(indices, weight, sparse);
    if (padding == NO_PADDING) {
      return found;
    }
    Tensor learned = indices.ne(Tensor.of(Shape.SCALAR, new long[] {padding}));
    return found.where(learned.unsqueeze(-1), found.detach());
  }
}
