// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.gpt;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.functional.Attention;
import java.util.random.RandomGenerator;

/// Multi-head attention of each position to itself and to the positions before it.
final class CausalSelfAttention extends Layer {
  private final int heads;
  private final float dropout;
  private final RandomGenerator random;
  private final Linear attn;
  private final Linear proj;
  private final Dropout dropped;

  CausalSelfAttention(GptOptions options, RandomGenerator random) {
    int size = options.size();
    this.heads = options.heads();
    this.dropout = options.dropout();
    this.random = random;
    attn = child("c_attn", new Linear(size, 3 * size, random));
    proj = child("c_proj", new Linear(size, size, random));
    dropped = child("resid_dropout", new Dropout(dropout, random));
  }

  /// Maps `[n, places, size]` to the same shape.
  ///
  /// @param mask the causal mask `[places, places]`
  Tensor forward(Tensor x, Tensor mask) {
    Shape shape = x.shape();
    int places = shape.size(1);
    int size = shape.size(2);
    Tensor all = attn.forward(x);
    Tensor attended = attend(part(all, 0), part(all, 1), part(all, 2), mask);
    Tensor together = attended.permute(0, 2, 1, 3).reshape(shape.size(0), places, size);
    return dropped.forward(proj.forward(together));
  }

  private Tensor attend(Tensor query, Tensor key, Tensor value, Tensor mask) {
    return isTraining() && dropout > 0
        ? Attention.scaledDotProduct(query, key, value, mask, dropout, random)
        : Attention.scaledDotProduct(query, key, value, mask);
  }

  /// Returns the queries, keys or values from the joint projection, as `[n, heads, places, size /
  /// heads]`.
  private Tensor part(Tensor all, int third) {
    int size = all.shape().size(2) / 3;
    return all.slice(2, third * size, (third + 1) * size)
        .reshape(all.shape().size(0), all.shape().size(1), heads, size / heads)
        .permute(0, 2, 1, 3);
  }
}
