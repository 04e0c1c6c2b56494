// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.random.RandomGenerator;

/// A table of learned rows, of which bags make one row each. After `torch.nn.EmbeddingBag`.
public final class EmbeddingBag extends Layer {
  private final Tensor weight;
  private final Embeddings.BagMode mode;
  private boolean sparse;

  /// Makes `rows` rows of `size` standard normal values.
  public EmbeddingBag(int rows, int size, Embeddings.BagMode mode, RandomGenerator random) {
    Shape shape = Shape.of(rows, size);
    this.weight = parameter("weight", shape, Initializers.normal(shape.elements(), random));
    this.mode = mode;
  }

  /// Makes the table's gradient one of [rows][dev.tensorbus.autograd.SparseRows], those that were
  /// looked up, or of the whole table, as at first. After torch's `sparse`.
  ///
  /// @return this layer
  public EmbeddingBag withSparse(boolean sparse) {
    this.sparse = sparse;
    return this;
  }

  /// Int64 indices, the bags one after another, give `[bags, size]`.
  ///
  /// @param offsets where each bag begins; the first is 0
  /// @throws IllegalArgumentException if an index is none of a row, or the offsets do not rise
  public Tensor forward(Tensor indices, int... offsets) {
    return Embeddings.embeddingBag(indices, weight, offsets, mode, sparse);
  }
}
