// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.transformer;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.AttentionOps;
import dev.tensorbus.nn.Initializers;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Attention with several heads in parallel, each on a slice of the features. Like
/// `torch.nn.MultiheadAttention` with `batch_first=True`.
public final class MultiheadAttention extends Layer {
  private final int size;
  private final int heads;
  private final Tensor inputWeight;
  private final Tensor inputBias;
  private final Linear output;
  private final Dropout dropout;

  /// Creates a layer with random parameters.
  ///
  /// @param size the number of features of each position, a multiple of `heads`
  /// @param dropout the probability of dropping an attention weight
  public MultiheadAttention(int size, int heads, float dropout, RandomGenerator random) {
    if (heads < 1 || size % heads != 0) {
      throw new IllegalArgumentException(
          "attention: " + size + " values cannot be divided into " + heads + " heads");
    }
    this.size = size;
    this.heads = heads;
    Shape shape = Shape.of(3 * size, size);
    this.inputWeight =
        parameter(
            "in_proj_weight", shape, Initializers.xavier(shape.elements(), size, 3 * size, random));
    this.inputBias = parameter("in_proj_bias", Shape.of(3 * size), new float[3 * size]);
    this.output = child("out_proj", new Linear(size, size, random).withZeroBias());
    this.dropout = child("dropout", new Dropout(dropout, random));
  }

  /// Attends from `query`, `[n, targets, size]`, to `key` and `value`, `[n, sources, size]`, giving
  /// `[n, targets, size]`.
  ///
  /// @param mask null, or a mask for [dev.tensorbus.nn.functional.Attention#scaledDotProduct]
  /// @throws ShapeException if the shapes are incompatible
  public Tensor forward(Tensor query, Tensor key, Tensor value, @Nullable Tensor mask) {
    Tensor attended =
        new AttentionOps(mask)
            .withDropout(dropout.probability(), dropout.random())
            .multihead(heads, projected(query, 0), projected(key, 1), projected(value, 2));
    return output.forward(attended);
  }

  /// Projects `[n, positions, size]` with one third of the input weights, for queries, keys or
  /// values.
  private Tensor projected(Tensor x, int third) {
    Shape shape = x.shape();
    if (shape.rank() != 3 || shape.size(2) != size) {
      throw new ShapeException("attention", shape + " is not [n, positions, " + size + "]");
    }
    Tensor weight = inputWeight.slice(0, third * size, (third + 1) * size);
    Tensor bias = inputBias.slice(0, third * size, (third + 1) * size);
    return x.linear(weight, bias);
  }
}
