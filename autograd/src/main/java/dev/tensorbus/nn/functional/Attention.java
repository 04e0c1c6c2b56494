// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.AttentionOps;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Scaled dot-product attention, which averages values, weighting each by how well its key matches
/// the query. Vaswani et al., "Attention Is All You Need" (2017).
public final class Attention {
  private Attention() {}

  /// Computes `[…, targets, e]` from queries `[…, targets, d]`, keys `[…, sources, d]` and values
  /// `[…, sources, e]`. Like `torch.nn.functional.scaled_dot_product_attention`.
  ///
  /// The result is NaN for a target that may not attend to any source. Masked values must be
  /// finite, because they may be multiplied by 0.
  ///
  /// @param mask null, a boolean mask that is true where a target may attend to a source, or
  ///     numbers to add to the scores; it is broadcast to `[…, targets, sources]`
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor scaledDotProduct(
      Tensor query, Tensor key, Tensor value, @Nullable Tensor mask) {
    return new AttentionOps(mask).scaledDotProduct(query, key, value);
  }

  /// Computes attention with dropout of the weights.
  ///
  /// @param dropout the probability of dropping a weight, in `[0, 1)`
  /// @param random the source of random numbers
  /// @throws ShapeException if the shapes are incompatible
  public static Tensor scaledDotProduct(
      Tensor query,
      Tensor key,
      Tensor value,
      @Nullable Tensor mask,
      float dropout,
      RandomGenerator random) {
    return new AttentionOps(mask).withDropout(dropout, random).scaledDotProduct(query, key, value);
  }

  /// Returns a mask in which each target may attend to the sources up to its own position.
  public static Tensor causalMask(int targets, int sources) {
    boolean[] sees = new boolean[targets * sources];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % sources <= i / sources;
    }
    return Tensor.of(Shape.of(targets, sources), sees);
  }
}
