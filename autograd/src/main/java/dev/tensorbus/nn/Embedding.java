// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import java.util.random.RandomGenerator;

/// A table of learned rows, looked up by number. After `torch.nn.Embedding`.
public final class Embedding extends Layer {
  private final Tensor weight;

  /// Makes `rows` rows of `size` standard normal values.
  public Embedding(int rows, int size, RandomGenerator random) {
    Shape shape = Shape.of(rows, size);
    weight = parameter("weight", shape, Initial.normal(shape.elements(), random));
  }

  /// Int64 indices of any shape give `[…, size]`.
  ///
  /// @throws IllegalArgumentException if an index is none of a row
  public Tensor forward(Tensor indices) {
    return Embeddings.embedding(indices, weight);
  }
}
