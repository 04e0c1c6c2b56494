// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.random.RandomGenerator;

/// A table of learned rows that are looked up in bags; each bag is reduced to one row. Like
/// `torch.nn.EmbeddingBag`.
public final class EmbeddingBag extends Layer {
  private final Tensor weight;
  private final Embeddings.BagMode mode;
  private boolean sparse;

  /// Creates a table of `rows` rows with `size` standard normal values each.
  public EmbeddingBag(int rows, int size, Embeddings.BagMode mode, RandomGenerator random) {
    Shape shape = Shape.of(rows, size);
    this.weight = parameter("weight", shape, Initializers.normal(shape.elements(), random));
    this.mode = mode;
  }

  /// Selects whether the gradient contains only the [rows][dev.tensorbus.autograd.SparseRows] that
  /// were looked up, or the whole table (the default). Like torch's `sparse`.
  ///
  /// @return this layer
  public EmbeddingBag withSparse(boolean sparse) {
    this.sparse = sparse;
    return this;
  }

  /// Looks up the int64 indices of all bags, one bag after another; the result has shape `[bags,
  /// size]`.
  ///
  /// @param offsets the position in `indices` at which each bag begins; the first is 0
  /// @throws IllegalArgumentException if an index is out of range, or the offsets decrease or
  ///     exceed the number of indices
  public Tensor forward(Tensor indices, int... offsets) {
    return Embeddings.embeddingBag(indices, weight, offsets, mode, sparse);
  }
}
