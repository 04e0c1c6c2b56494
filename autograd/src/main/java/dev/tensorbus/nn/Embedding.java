// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A table of learned rows, looked up by index. Like `torch.nn.Embedding`.
public final class Embedding extends Layer implements Forward {
  /// The value of `padding` if there is no padding row.
  private static final int NO_PADDING = -1;

  private final Tensor weight;
  private final int padding;
  private boolean sparse;

  /// Creates a table of `rows` rows with `size` standard normal values each.
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

  /// Creates a table in which row `padding` is initially zero and receives no gradient. Use its
  /// index to pad sequences to equal length. Like torch's `padding_idx`.
  ///
  /// @throws IllegalArgumentException if the table has no row `padding`
  public static Embedding withPadding(int rows, int size, int padding, RandomGenerator random) {
    if (padding < 0 || padding >= rows) {
      throw new IllegalArgumentException(
          "embedding: padding %d is not in [0, %d)".formatted(padding, rows));
    }
    return new Embedding(Shape.of(rows, size), padding, random);
  }

  /// Selects whether the gradient contains only the [rows][dev.tensorbus.autograd.SparseRows] that
  /// were looked up, or the whole table (the default). Use sparse gradients for large tables, with
  /// an optimizer that supports them: `Sgd`, `Adagrad`, `SparseAdam`. Like torch's `sparse`.
  ///
  /// @return this layer
  public Embedding withSparse(boolean sparse) {
    this.sparse = sparse;
    return this;
  }

  /// Looks up int64 indices of any shape; the result has shape `[…, size]`.
  ///
  /// @throws IllegalArgumentException if an index is out of range
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
